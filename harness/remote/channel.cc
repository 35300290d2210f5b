#include "remote/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <utility>

namespace warpcheck::remote {

namespace {

constexpr std::chrono::milliseconds kLook{50};
// Waking up takes this time, which does not count as quiet.
constexpr std::chrono::microseconds kWakingUp{100};
constexpr std::chrono::milliseconds kAskAfter{250};

bool WouldBlock() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

// Drops the first `bytes` bytes of what must still be sent.
void Advance(msghdr& message, std::size_t bytes) {
  while (message.msg_iovlen > 0 && bytes >= message.msg_iov->iov_len) {
    bytes -= message.msg_iov->iov_len;
    ++message.msg_iov;
    --message.msg_iovlen;
  }
  if (message.msg_iovlen == 0) return;
  message.msg_iov->iov_base = static_cast<std::byte*>(message.msg_iov->iov_base) + bytes;
  message.msg_iov->iov_len -= bytes;
}

iovec Piece(std::span<const std::byte> bytes) {
  return {const_cast<std::byte*>(bytes.data()), bytes.size()};
}

}  // namespace

Channel::Channel(int fd) : fd_(fd) { fcntl(fd_, F_SETFD, FD_CLOEXEC); }

Channel::~Channel() { Close(); }

void Channel::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
  buffered_ = {};
}

int Channel::Poll(short events, std::optional<Clock::duration> limit) const {
  pollfd waited{.fd = fd_, .events = events, .revents = 0};
  timespec rest{};
  if (limit) {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(*limit).count();
    rest.tv_sec = static_cast<time_t>(left / 1'000'000'000);
    rest.tv_nsec = static_cast<long>(left % 1'000'000'000);
  }
  return ppoll(&waited, 1, limit ? &rest : nullptr, nullptr);
}

Transfer Channel::Wait(short events, std::optional<Clock::time_point> deadline) {
  if (!deadline && may_wait_) return WaitAsking(events);
  while (true) {
    std::optional<Clock::duration> left;
    if (deadline) left = *deadline - Clock::now();
    if (left && left->count() <= 0) return Transfer::kTimedOut;
    const int ready = Poll(events, left);
    if (ready > 0) return Transfer::kDone;
    if (ready < 0 && errno != EINTR) return Transfer::kClosed;
  }
}

// Adds up short waits, because they are together as quiet as a long one.
Transfer Channel::WaitAsking(short events) {
  while (true) {
    const auto start = Clock::now();
    const int ready = Poll(events, kLook);
    if (ready < 0 && errno != EINTR) return Transfer::kClosed;
    const auto time = Clock::now() - start;
    passed_ += time;
    if (time > kWakingUp) quiet_ += time - kWakingUp;
    if (passed_ >= kAskAfter) {
      if (!may_wait_(std::exchange(passed_, {}), std::exchange(quiet_, {}))) {
        return Transfer::kTimedOut;
      }
      // Bytes may have arrived during the call of `may_wait_`. A quiet wait ends if there are none.
    }
    if (ready > 0) return Transfer::kDone;
  }
}

std::span<std::byte> Channel::TakeBuffered(std::span<std::byte> bytes) {
  const std::size_t taken = std::min(bytes.size(), buffered_.size());
  std::copy_n(buffered_.begin(), taken, bytes.begin());
  buffered_ = buffered_.subspan(taken);
  return bytes.subspan(taken);
}

// Makes one system call. If many bytes are needed, it reads directly into `bytes`.
Transfer Channel::Refill(std::span<std::byte>& bytes) {
  const bool direct = bytes.size() >= buffer_.size();
  const std::span<std::byte> to = direct ? bytes : std::span(buffer_);
  const ssize_t got = recv(fd_, to.data(), to.size(), MSG_DONTWAIT);
  if (got == 0 || (got < 0 && !WouldBlock())) return Transfer::kClosed;
  if (got < 0) return Transfer::kDone;
  if (direct) {
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  } else {
    buffered_ = to.first(static_cast<std::size_t>(got));
    bytes = TakeBuffered(bytes);
  }
  return Transfer::kDone;
}

Transfer Channel::Receive(std::span<std::byte> bytes, std::optional<Clock::time_point> deadline) {
  if (!open()) return Transfer::kClosed;
  bytes = TakeBuffered(bytes);
  while (!bytes.empty()) {
    if (const Transfer ready = Wait(POLLIN, deadline); ready != Transfer::kDone) return ready;
    if (const Transfer got = Refill(bytes); got != Transfer::kDone) return got;
  }
  return Transfer::kDone;
}

Transfer Channel::Send(std::span<const std::byte> head, std::span<const std::byte> body,
                       std::optional<Clock::time_point> deadline) {
  if (!open()) return Transfer::kClosed;
  std::array<iovec, 2> pieces{Piece(head), Piece(body)};
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = pieces.size();
  Advance(message, 0);
  while (message.msg_iovlen > 0) {
    const ssize_t sent = sendmsg(fd_, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) {
      Advance(message, static_cast<std::size_t>(sent));
    } else if (!WouldBlock()) {
      return Transfer::kClosed;
    } else if (const Transfer ready = Wait(POLLOUT, deadline); ready != Transfer::kDone) {
      return ready;
    }
    // A peer that sends single bytes keeps the socket ready, but the deadline still applies.
    if (deadline && message.msg_iovlen > 0 && Clock::now() >= *deadline) return Transfer::kTimedOut;
  }
  return Transfer::kDone;
}

bool Channel::HasInput() const {
  if (!buffered_.empty()) return true;
  std::byte next{};
  return open() && recv(fd_, &next, 1, MSG_DONTWAIT | MSG_PEEK) > 0;
}

Transfer FrameReader::Receive(Frame& frame, std::optional<Clock::time_point> deadline) {
  std::array<std::byte, FrameHeader::kBytes> bytes{};
  const Transfer head = channel_.Receive(bytes, deadline);
  if (head != Transfer::kDone) return head;
  const auto header = FrameHeader::Decoded(bytes);
  if (!header || header->length > kMaxPayloadBytes) return Transfer::kClosed;
  frame.header = *header;
  return ReceivePayload(frame, deadline);
}

Transfer FrameReader::ReceivePayload(Frame& frame, std::optional<Clock::time_point> deadline) {
  const std::size_t length = frame.header.length;
  if (length > capacity_) {
    storage_ = std::make_unique_for_overwrite<std::byte[]>(length);
    capacity_ = length;
  }
  frame.payload = {storage_.get(), length};
  return channel_.Receive({storage_.get(), length}, deadline);
}

}  // namespace warpcheck::remote
