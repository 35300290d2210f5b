// Receives whole frames from a channel.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "remote/channel.h"
#include "remote/protocol.h"

namespace warpcheck::remote {

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

 private:
  Channel& channel_;
  std::unique_ptr<std::byte[]> storage_;
  std::size_t capacity_ = 0;
};

}  // namespace warpcheck::remote
