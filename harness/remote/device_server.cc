#include "remote/device_server.h"

#include <nlohmann/json.hpp>

#include "device/record_json.h"
#include "remote/channel.h"
#include "remote/protocol.h"
#include "remote/session.h"

namespace warpcheck::remote {
namespace {

std::span<const std::byte> BytesOf(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace

void DeviceServer::Refuse(const Error& why) {
  Encoder greeting;
  greeting.U8(0);
  greeting.Text(why.message);
  greeting.Text(why.hint);
  (void)SendFrame(channel_, Kind::kGreeting, 0, greeting.payload());
}

void DeviceServer::Serve(Device& device) {
  Encoder message;
  message.U8(1);
  Encode(message, device.Properties());
  (void)SendFrame(channel_, Kind::kGreeting, 0, message.payload());
  Session session(device, Session::Peer::kTrusted);
  FrameReader reader(channel_);
  for (Frame frame; reader.Receive(frame, {}) == Transfer::kDone;) {
    const FrameHeader& header = frame.header;
    if (header.kind == Kind::kReset) {
      message.Clear();
      message.I32(static_cast<std::int32_t>(session.Reset()));
      (void)SendFrame(channel_, Kind::kReply, header.sequence, message.payload());
    } else if (session.Answer(header.kind, frame.payload)) {
      (void)SendFrame(channel_, Kind::kReply, header.sequence, session.reply());
    } else {
      break;
    }
  }
  channel_.Close();
}

void DeviceServer::OnLaunch(const LaunchRecord& record) {
  (void)SendFrame(channel_, Kind::kLaunched, 0, BytesOf(JsonText(ToJson(record))));
}

void DeviceServer::OnFinding(const Finding& finding) {
  (void)SendFrame(channel_, Kind::kFound, 0, BytesOf(JsonText(ToJson(finding))));
}

void DeviceServer::OnPrint(std::string_view text) {
  (void)SendFrame(channel_, Kind::kPrinted, 0, BytesOf(text.substr(0, kMaxPayloadBytes)));
}

}  // namespace warpcheck::remote
