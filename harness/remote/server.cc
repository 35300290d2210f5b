#include "remote/server.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "remote/channel.h"
#include "remote/messages.h"
#include "remote/session.h"

namespace warpcheck::remote {
namespace {

// A deadline that stands still while the device works, up to an allowance.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds limit)
      : at_(Clock::now() + limit), allowance_(limit * Server::kDeviceTimeFactor) {}

  Clock::time_point at() const { return at_; }
  bool Passed() const { return Clock::now() >= at_; }
  void DeviceWorked(Clock::duration time) {
    const Clock::duration free = std::min(time, allowance_);
    allowance_ -= free;
    at_ += free;
  }

 private:
  Clock::time_point at_;
  Clock::duration allowance_;
};

CallOutcome Ended(CallEnd end, std::string text = {}) {
  return {.end = end, .text = std::move(text), .last_error = 0};
}

CallOutcome Ended(Transfer transfer) {
  return Ended(transfer == Transfer::kTimedOut ? CallEnd::kTimedOut : CallEnd::kDisconnected);
}

bool IsRequest(Kind kind) { return kind > Kind::kReturned && kind <= Kind::kNoteMisuse; }

}  // namespace

struct Server::State {
  State(int fd, Device& served) : channel(fd), device(served), session(served) {}

  CallOutcome Serve(const Call& call, Deadline& deadline);
  std::optional<CallOutcome> Step(Deadline& deadline);
  std::optional<CallOutcome> Carry(const FrameHeader& header, Deadline& deadline);
  CallOutcome Returned(const FrameHeader& header) const;
  Transfer Send(Kind kind, std::uint32_t sequence, std::span<const std::byte> payload,
                const Deadline& deadline);

  Channel channel;
  Device& device;
  Session session;
  Encoder encoder;
  std::unique_ptr<std::byte[]> storage;
  std::size_t capacity = 0;
  std::span<const std::byte> payload;  // of the frame at hand, in `storage`
  std::uint32_t calls = 0;
  std::uint32_t requests = 0;  // of this call
};

Transfer Server::State::Send(Kind kind, std::uint32_t sequence, std::span<const std::byte> bytes,
                             const Deadline& deadline) {
  const auto length = static_cast<std::uint32_t>(bytes.size());
  return channel.Send(FrameHeader{length, kind, sequence}.Encoded(), bytes, deadline.at());
}

CallOutcome Server::State::Returned(const FrameHeader& header) const {
  if (header.sequence != calls) {
    return Ended(CallEnd::kProtocolError,
                 fmt::format("the host returned from call {}, not {}", header.sequence, calls));
  }
  Decoder decoder(payload);
  CallOutcome outcome = DecodeOutcome(decoder);
  if (!decoder.Complete()) {
    return Ended(CallEnd::kProtocolError, "the host sent an outcome that is not valid");
  }
  return outcome;
}

std::optional<CallOutcome> Server::State::Carry(const FrameHeader& header, Deadline& deadline) {
  if (header.sequence != ++requests) {
    return Ended(CallEnd::kProtocolError,
                 fmt::format("the host sent request {}, not {}", header.sequence, requests));
  }
  const auto start = Clock::now();
  const bool valid = session.Answer(header.kind, payload);
  deadline.DeviceWorked(Clock::now() - start);
  if (!valid) {
    return Ended(CallEnd::kProtocolError,
                 fmt::format("the host sent a request of kind {} and {} bytes that is not valid",
                             static_cast<int>(header.kind), header.length));
  }
  const Transfer sent = Send(Kind::kReply, header.sequence, session.reply(), deadline);
  if (sent != Transfer::kDone) return Ended(sent);
  return std::nullopt;
}

std::optional<CallOutcome> Server::State::Step(Deadline& deadline) {
  std::array<std::byte, FrameHeader::kBytes> bytes{};
  if (deadline.Passed()) return Ended(CallEnd::kTimedOut);
  Transfer received = channel.Receive(bytes, deadline.at());
  if (received != Transfer::kDone) return Ended(received);
  const auto header = FrameHeader::Decoded(bytes);
  if (!header || (!IsRequest(header->kind) && header->kind != Kind::kReturned)) {
    return Ended(CallEnd::kProtocolError, "the host sent bytes that are no message");
  }
  if (header->length > kMaxPayloadBytes) {
    return Ended(CallEnd::kProtocolError,
                 fmt::format("the host announced a message of {} bytes; {} are the most",
                             header->length, kMaxPayloadBytes));
  }
  if (header->length > capacity) {
    storage = std::make_unique_for_overwrite<std::byte[]>(header->length);
    capacity = header->length;
  }
  received = channel.Receive({storage.get(), header->length}, deadline.at());
  if (received != Transfer::kDone) return Ended(received);
  payload = {storage.get(), header->length};
  if (header->kind == Kind::kReturned) return Returned(*header);
  return Carry(*header, deadline);
}

CallOutcome Server::State::Serve(const Call& call, Deadline& deadline) {
  if (!channel.open()) return Ended(CallEnd::kDisconnected, "an earlier call ended the connection");
  if (channel.HasInput()) {
    return Ended(CallEnd::kProtocolError, "the host sent a message while no call was running");
  }
  encoder.Clear();
  Encode(encoder, device.Properties());
  Encode(encoder, call);
  WARPCHECK_CHECK(encoder.payload().size() <= kMaxPayloadBytes &&
                      call.arguments.size() <= kMaxArguments &&
                      call.function.size() <= kMaxNameBytes,
                  "the arguments of a call are too large");
  requests = 0;
  const Transfer sent = Send(Kind::kCall, ++calls, encoder.payload(), deadline);
  if (sent != Transfer::kDone) return Ended(sent);
  while (true) {
    if (auto outcome = Step(deadline)) return *std::move(outcome);
  }
}

Server::Server(int fd, Device& device) : state_(std::make_unique<State>(fd, device)) {}

Server::~Server() = default;

CallOutcome Server::Run(const Call& call, std::chrono::milliseconds limit) {
  Deadline deadline(limit);
  state_->session.Begin(call);
  CallOutcome outcome = state_->Serve(call, deadline);
  state_->session.End();
  switch (outcome.end) {
    case CallEnd::kProtocolError:
    case CallEnd::kDisconnected:
    case CallEnd::kTimedOut:
      state_->channel.Close();
      break;
    case CallEnd::kReturned:
    case CallEnd::kNoSuchFunction:
    case CallEnd::kException:
    case CallEnd::kLoadFailed:
      break;
  }
  return outcome;
}

}  // namespace warpcheck::remote
