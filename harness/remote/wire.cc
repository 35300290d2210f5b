#include "remote/wire.h"

#include <algorithm>
#include <cstring>

namespace warpcheck::remote {

std::span<std::byte> Encoder::Extend(std::size_t bytes) {
  payload_.resize(payload_.size() + bytes);
  return std::span(payload_).last(bytes);
}

void Encoder::Bytes(std::span<const std::byte> bytes) {
  U32(static_cast<std::uint32_t>(bytes.size()));
  payload_.insert(payload_.end(), bytes.begin(), bytes.end());
}

std::span<const std::byte> Decoder::Take(std::size_t bytes) {
  if (!ok_ || bytes > rest_.size()) {
    ok_ = false;
    return {};
  }
  const auto taken = rest_.first(bytes);
  rest_ = rest_.subspan(bytes);
  return taken;
}

bool Decoder::Bool() {
  const std::uint8_t value = U8();
  if (value > 1) ok_ = false;
  return value == 1;
}

std::span<const std::byte> Decoder::Bytes(std::size_t max_bytes) {
  const std::uint32_t bytes = U32();
  if (bytes > max_bytes) ok_ = false;
  return Take(bytes);
}

std::string_view Decoder::Text(std::size_t max_bytes) {
  const auto bytes = Bytes(max_bytes);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint32_t Decoder::Count(std::size_t element_bytes) {
  const std::uint32_t count = U32();
  if (count > rest_.size() / element_bytes) ok_ = false;
  return ok_ ? count : 0;
}

}  // namespace warpcheck::remote
