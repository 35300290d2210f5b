// A Channel is one end of a socket: it reads and writes exact numbers of bytes, up to a deadline.
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

// The type of a function that is called several times a second while a channel waits. `passed` is
// the time since its last call, and `quiet` the part of that time in which nothing happened. If it
// returns false, the wait ends with Transfer::kTimedOut.
using MayWait = std::function<bool(Clock::duration passed, Clock::duration quiet)>;

class Channel {
 public:
  // Takes `fd`, a connected SOCK_STREAM socket, and owns it.
  explicit Channel(int fd);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // Waits without a limit if there is no deadline. Returns kClosed if the other end has closed or
  // the socket has failed. Bytes that were sent before are received first. Neither function raises
  // a signal.
  Transfer Receive(std::span<std::byte> bytes, std::optional<Clock::time_point> deadline);
  // Sends `head` and `body`, in one system call if the socket takes them.
  Transfer Send(std::span<const std::byte> head, std::span<const std::byte> body,
                std::optional<Clock::time_point> deadline);

  // Sets the function that is called during later waits without a deadline.
  void AskWhetherToWait(MayWait may_wait) {
    may_wait_ = std::move(may_wait);
    passed_ = quiet_ = {};
  }

  // Returns true if bytes have arrived that were not received yet.
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
  Clock::duration passed_{};  // the time since `may_wait_` was last called
  Clock::duration quiet_{};
  std::array<std::byte, 16'384> buffer_;
  std::span<std::byte> buffered_;
};

// Sends a frame, without a deadline.
inline Transfer SendFrame(Channel& channel, Kind kind, std::uint32_t sequence,
                          std::span<const std::byte> payload) {
  const auto length = static_cast<std::uint32_t>(payload.size());
  return channel.Send(FrameHeader{length, kind, sequence}.Encoded(), payload, {});
}

struct Frame {
  FrameHeader header;
  std::span<const std::byte> payload;  // valid until the next frame is received
};

class FrameReader {
 public:
  // `channel` must outlive the reader.
  explicit FrameReader(Channel& channel) : channel_(channel) {}

  // Returns kClosed also for bytes that are not a frame, and for a frame longer than
  // kMaxPayloadBytes.
  Transfer Receive(Frame& frame, std::optional<Clock::time_point> deadline);
  // Receives the payload after a header whose length the caller has checked.
  Transfer ReceivePayload(Frame& frame, std::optional<Clock::time_point> deadline);

 private:
  Channel& channel_;
  std::unique_ptr<std::byte[]> storage_;
  std::size_t capacity_ = 0;
};

}  // namespace warpcheck::remote
