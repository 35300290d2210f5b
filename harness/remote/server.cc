#include "remote/server.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "base/check.h"
#include "remote/protocol.h"

namespace warpcheck::remote {
namespace {

CallOutcome Ended(CallEnd end, std::string text = {}) {
  return {.end = end, .text = std::move(text), .last_error = 0};
}

CallOutcome Ended(Transfer transfer) {
  return Ended(transfer == Transfer::kTimedOut ? CallEnd::kGivenUp : CallEnd::kDisconnected);
}

bool IsRequest(Kind kind) { return kind > Kind::kReturned && kind <= Kind::kReset; }

}  // namespace

CallOutcome Server::Returned(const Frame& frame) const {
  const std::uint32_t call = frame.header.sequence;
  if (call != calls_) {
    return Ended(CallEnd::kProtocolError,
                 fmt::format("the host returned from call {}, not {}", call, calls_));
  }
  Decoder decoder(frame.payload);
  CallOutcome outcome = DecodeOutcome(decoder);
  if (!decoder.Complete()) {
    return Ended(CallEnd::kProtocolError, "the host sent an outcome that is not valid");
  }
  return outcome;
}

std::optional<CallOutcome> Server::Spent() const {
  const Requests& made = requests();
  if (made.number > most_.number) {
    return Ended(CallEnd::kSpent, fmt::format("{} requests to the device", most_.number));
  }
  if (made.bytes > most_.bytes) {
    return Ended(CallEnd::kSpent, fmt::format("{} bytes to move", most_.bytes));
  }
  return std::nullopt;
}

std::optional<CallOutcome> Server::Carry(const Frame& frame) {
  const FrameHeader& header = frame.header;
  if (header.sequence != ++requests_) {
    return Ended(CallEnd::kProtocolError,
                 fmt::format("the host sent request {}, not {}", header.sequence, requests_));
  }
  bool valid = false;
  try {
    valid = session_.Answer(header.kind, frame.payload);
  } catch (const std::bad_alloc&) {
    return Ended(CallEnd::kProtocolError,
                 fmt::format("the program's request (kind {}, {} bytes) takes "
                             "more memory than the grader has for one submission",
                             static_cast<int>(header.kind), header.length));
  }
  if (!valid) {
    return Ended(CallEnd::kProtocolError,
                 fmt::format("the host sent a request of kind {} and {} bytes that is not valid",
                             static_cast<int>(header.kind), header.length));
  }
  if (auto spent = Spent()) return spent;
  const Transfer sent = SendFrame(channel_, Kind::kReply, header.sequence, session_.reply());
  if (sent != Transfer::kDone) return Ended(sent);
  return std::nullopt;
}

std::optional<CallOutcome> Server::Step() {
  std::array<std::byte, FrameHeader::kBytes> bytes{};
  Transfer received = channel_.Receive(bytes, {});
  if (received != Transfer::kDone) return Ended(received);
  const auto header = FrameHeader::Decoded(bytes);
  if (!header || (!IsRequest(header->kind) && header->kind != Kind::kReturned)) {
    return Ended(CallEnd::kProtocolError, "the host sent an invalid message");
  }
  if (header->length > kMaxPayloadBytes) {
    return Ended(CallEnd::kProtocolError,
                 fmt::format("the host announced a message of {} bytes; {} are the most",
                             header->length, kMaxPayloadBytes));
  }
  Frame frame = {.header = *header, .payload = {}};
  received = reader_.ReceivePayload(frame, {});
  if (received != Transfer::kDone) return Ended(received);
  if (header->kind == Kind::kReturned) return Returned(frame);
  return Carry(frame);
}

CallOutcome Server::Serve(const Call& call) {
  if (!channel_.open())
    return Ended(CallEnd::kDisconnected, "an earlier call ended the connection");
  if (channel_.HasInput()) {
    return Ended(CallEnd::kProtocolError, "the host sent a message while no call was running");
  }
  Encoder message;
  Encode(message, device_.Properties());
  Encode(message, call);
  WARPCHECK_CHECK(message.payload().size() <= kMaxPayloadBytes &&
                      call.arguments.size() <= kMaxArguments &&
                      call.function.size() <= kMaxNameBytes,
                  "the arguments of a call are too large");
  requests_ = 0;
  const Transfer sent = SendFrame(channel_, Kind::kCall, ++calls_, message.payload());
  if (sent != Transfer::kDone) return Ended(sent);
  while (true) {
    if (auto outcome = Step()) return *std::move(outcome);
  }
}

CallOutcome Server::Run(const Call& call, MayWait may_wait, const Requests& most) {
  channel_.AskWhetherToWait(std::move(may_wait));
  most_ = most;
  session_.Begin(call);
  CallOutcome outcome = Serve(call);
  session_.End();
  if (!HostCanReport(outcome.end)) channel_.Close();
  return outcome;
}

}  // namespace warpcheck::remote
