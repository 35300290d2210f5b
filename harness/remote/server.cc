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

struct Server::State {
  State(int fd, Device& served) : channel(fd), device(served), session(served) {}

  CallOutcome Serve(const Call& call);
  std::optional<CallOutcome> Step();
  std::optional<CallOutcome> Carry(const FrameHeader& header);
  std::optional<CallOutcome> Spent() const;
  CallOutcome Returned(const FrameHeader& header) const;
  Transfer Send(Kind kind, std::uint32_t sequence, std::span<const std::byte> payload);

  Channel channel;
  Device& device;
  Session session;
  Encoder encoder;
  std::unique_ptr<std::byte[]> storage;
  std::size_t capacity = 0;
  std::span<const std::byte> payload;  // of the frame at hand, in `storage`
  std::uint32_t calls = 0;
  std::uint32_t requests = 0;  // of this call
  Requests most;               // of all calls
};

Transfer Server::State::Send(Kind kind, std::uint32_t sequence, std::span<const std::byte> bytes) {
  const auto length = static_cast<std::uint32_t>(bytes.size());
  return channel.Send(FrameHeader{length, kind, sequence}.Encoded(), bytes, {});
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

std::optional<CallOutcome> Server::State::Spent() const {
  const Requests& made = session.requests();
  if (made.number > most.number) {
    return Ended(CallEnd::kSpent, fmt::format("{} requests to the device", most.number));
  }
  if (made.bytes > most.bytes) {
    return Ended(CallEnd::kSpent, fmt::format("{} bytes to move", most.bytes));
  }
  return std::nullopt;
}

std::optional<CallOutcome> Server::State::Carry(const FrameHeader& header) {
  if (header.sequence != ++requests) {
    return Ended(CallEnd::kProtocolError,
                 fmt::format("the host sent request {}, not {}", header.sequence, requests));
  }
  bool valid = false;
  try {
    valid = session.Answer(header.kind, payload);
  } catch (const std::bad_alloc&) {
    return Ended(CallEnd::kProtocolError,
                 fmt::format("what the program asked for (a request of kind {} and {} bytes) takes "
                             "more memory than the grader has for one submission",
                             static_cast<int>(header.kind), header.length));
  }
  if (!valid) {
    return Ended(CallEnd::kProtocolError,
                 fmt::format("the host sent a request of kind {} and {} bytes that is not valid",
                             static_cast<int>(header.kind), header.length));
  }
  if (auto spent = Spent()) return spent;
  const Transfer sent = Send(Kind::kReply, header.sequence, session.reply());
  if (sent != Transfer::kDone) return Ended(sent);
  return std::nullopt;
}

std::optional<CallOutcome> Server::State::Step() {
  std::array<std::byte, FrameHeader::kBytes> bytes{};
  Transfer received = channel.Receive(bytes, {});
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
  received = channel.Receive({storage.get(), header->length}, {});
  if (received != Transfer::kDone) return Ended(received);
  payload = {storage.get(), header->length};
  if (header->kind == Kind::kReturned) return Returned(*header);
  return Carry(*header);
}

CallOutcome Server::State::Serve(const Call& call) {
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
  const Transfer sent = Send(Kind::kCall, ++calls, encoder.payload());
  if (sent != Transfer::kDone) return Ended(sent);
  while (true) {
    if (auto outcome = Step()) return *std::move(outcome);
  }
}

Server::Server(int fd, Device& device) : state_(std::make_unique<State>(fd, device)) {}

Server::~Server() = default;

const Requests& Server::requests() const { return state_->session.requests(); }

CallOutcome Server::Run(const Call& call, MayWait may_wait, const Requests& most) {
  state_->channel.AskWhetherToWait(std::move(may_wait));
  state_->most = most;
  state_->session.Begin(call);
  CallOutcome outcome = state_->Serve(call);
  state_->session.End();
  switch (outcome.end) {
    case CallEnd::kProtocolError:
    case CallEnd::kDisconnected:
    case CallEnd::kGivenUp:
    case CallEnd::kSpent:
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
