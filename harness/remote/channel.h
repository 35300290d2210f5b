// One end of the socket: exact reads and writes of bytes, up to a deadline.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace warpcheck::remote {

using Clock = std::chrono::steady_clock;

enum class [[nodiscard]] Transfer{kDone, kClosed, kTimedOut};

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

  // True where something has arrived that was not received.
  bool HasInput() const;
  void Close();
  bool open() const { return fd_ >= 0; }

 private:
  Transfer Wait(short events, std::optional<Clock::time_point> deadline) const;
  std::span<std::byte> TakeBuffered(std::span<std::byte> bytes);
  Transfer Refill(std::span<std::byte>& bytes);

  int fd_;
  std::array<std::byte, 16'384> buffer_;
  std::span<std::byte> buffered_;
};

}  // namespace warpcheck::remote
