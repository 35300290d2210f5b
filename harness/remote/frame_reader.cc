#include "remote/frame_reader.h"

#include <array>

namespace warpcheck::remote {

Transfer FrameReader::Receive(Frame& frame, std::optional<Clock::time_point> deadline) {
  std::array<std::byte, FrameHeader::kBytes> bytes{};
  const Transfer head = channel_.Receive(bytes, deadline);
  if (head != Transfer::kDone) return head;
  const auto header = FrameHeader::Decoded(bytes);
  if (!header || header->length > kMaxPayloadBytes) return Transfer::kClosed;
  if (header->length > capacity_) {
    storage_ = std::make_unique_for_overwrite<std::byte[]>(header->length);
    capacity_ = header->length;
  }
  frame.header = *header;
  frame.payload = {storage_.get(), header->length};
  return channel_.Receive({storage_.get(), header->length}, deadline);
}

}  // namespace warpcheck::remote
