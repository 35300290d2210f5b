// One end of the socket: exact reads and writes of bytes, up to a deadline.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "remote/protocol.h"

namespace warpcheck::remote {

using Clock = std::chrono::steady_clock;

enum class [[nodiscard]] Transfer{kDone, kClosed, kTimedOut};

// Asked now and then while a channel waits, however little at a time: for how long it has waited
// since it was asked last, and how much of that time nothing at all happened. False ends the
// waiting (Transfer::kTimedOut).
using MayWait = std::function<bool(Clock::duration passed, Clock::duration quiet)>;

class Channel {
 public:
  // `fd`: a connected SOCK_STREAM socket, owned from now on.
  explicit Channel(int fd);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // No deadline: waits for ever. kClosed: the other end is gone, or the socket failed; what it sent
  // before that can be read first. Neither raises a signal.
  Transfer Receive(std::span<std::byte> bytes, std::optional<Clock::time_point> deadline);
  // `head` and `body`, in one system call where the socket takes them.
  Transfer Send(std::span<const std::byte> head, std::span<const std::byte> body,
                std::optional<Clock::time_point> deadline);

  // For waits without a deadline, from now on.
  void AskWhetherToWait(MayWait may_wait) {
    may_wait_ = std::move(may_wait);
    passed_ = quiet_ = {};
  }

  // True where something has arrived that was not received.
  bool HasInput() const;
  void Close();
  bool open() const { return fd_ >= 0; }

 private:
  Transfer Wait(short events, std::optional<Clock::time_point> deadline);
  Transfer WaitAsking(short events);
  int Poll(short events, std::optional<Clock::duration> limit) const;
  std::span<std::byte> TakeBuffered(std::span<std::byte> bytes);
  Transfer Refill(std::span<std::byte>& bytes);

  int fd_;
  MayWait may_wait_;
  Clock::duration passed_{};  // since it was asked
  Clock::duration quiet_{};
  std::array<std::byte, 16'384> buffer_;
  std::span<std::byte> buffered_;
};

// Sends and receives whole frames.

// Without a deadline.
inline Transfer SendFrame(Channel& channel, Kind kind, std::uint32_t sequence,
                          std::span<const std::byte> payload) {
  const auto length = static_cast<std::uint32_t>(payload.size());
  return channel.Send(FrameHeader{length, kind, sequence}.Encoded(), payload, {});
}

struct Frame {
  FrameHeader header;
  std::span<const std::byte> payload;  // until the next frame is received
};

class FrameReader {
 public:
  // `channel` outlives the reader.
  explicit FrameReader(Channel& channel) : channel_(channel) {}

  // kClosed also for bytes that are no frame, or one beyond kMaxPayloadBytes.
  Transfer Receive(Frame& frame, std::optional<Clock::time_point> deadline);
  // What follows a header, of which the caller has seen that its length is no more than that.
  Transfer ReceivePayload(Frame& frame, std::optional<Clock::time_point> deadline);

 private:
  Channel& channel_;
  std::unique_ptr<std::byte[]> storage_;
  std::size_t capacity_ = 0;
};

}  // namespace warpcheck::remote
