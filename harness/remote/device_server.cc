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

void DeviceServer::Send(Kind kind, std::uint32_t sequence, std::span<const std::byte> payload) {
  const auto length = static_cast<std::uint32_t>(payload.size());
  (void)channel_.Send(FrameHeader{length, kind, sequence}.Encoded(), payload, {});
}

void DeviceServer::Refuse(const Error& why) {
  Encoder greeting;
  greeting.U8(0);
  greeting.Text(why.message);
  greeting.Text(why.hint);
  Send(Kind::kGreeting, 0, greeting.payload());
}

void DeviceServer::Serve(Device& device) {
  Encoder message;
  message.U8(1);
  Encode(message, device.Properties());
  Send(Kind::kGreeting, 0, message.payload());
  Session session(device);
  FrameReader reader(channel_);
  for (Frame frame; reader.Receive(frame, {}) == Transfer::kDone;) {
    const FrameHeader& header = frame.header;
    if (header.kind == Kind::kReset) {
      message.Clear();
      message.I32(static_cast<std::int32_t>(session.Reset()));
      Send(Kind::kReply, header.sequence, message.payload());
    } else if (session.Answer(header.kind, frame.payload)) {
      Send(Kind::kReply, header.sequence, session.reply());
    } else {
      break;
    }
  }
  channel_.Close();
}

void DeviceServer::OnLaunch(const LaunchRecord& record) {
  Send(Kind::kLaunched, 0, BytesOf(JsonText(ToJson(record))));
}

void DeviceServer::OnFinding(const Finding& finding) {
  Send(Kind::kFound, 0, BytesOf(JsonText(ToJson(finding))));
}

void DeviceServer::OnPrint(std::string_view text) {
  Send(Kind::kPrinted, 0, BytesOf(text.substr(0, kMaxPayloadBytes)));
}

}  // namespace warpcheck::remote
