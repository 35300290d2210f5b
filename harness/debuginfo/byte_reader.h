// A ByteReader takes values from the bytes of a section of debug information, one after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace warpcheck {

// After the end all values are 0.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> rest) : rest_(rest) {}

  template <class T>
  T Take() {
    T value = {};
    if (rest_.size() < sizeof value) {
      rest_ = {};
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  // Takes a number of 4 or 8 bytes.
  std::uint64_t Offset(bool wide) { return wide ? Take<std::uint64_t>() : Take<std::uint32_t>(); }
  std::uint64_t Unsigned() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = Take<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7FU} << shift;
      if ((byte & 0x80U) == 0) return value;
    }
  }
  std::int64_t Signed() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;;) {
      const auto byte = Take<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7FU} << shift;
      shift += 7;
      if ((byte & 0x80U) != 0) continue;
      if (shift < 64 && (byte & 0x40U) != 0) value |= ~std::uint64_t{0} << shift;
      return static_cast<std::int64_t>(value);
    }
  }
  std::string_view Text() {
    const auto* const text = reinterpret_cast<const char*>(rest_.data());
    const std::size_t length = rest_.empty() ? 0 : ::strnlen(text, rest_.size());
    Skip(length + 1);
    return {text, length};
  }
  // Takes the next `bytes` bytes, or as many as there are.
  ByteReader Part(std::uint64_t bytes) {
    const auto part = rest_.first(std::min<std::uint64_t>(bytes, rest_.size()));
    rest_ = rest_.subspan(part.size());
    return ByteReader(part);
  }
  void Skip(std::uint64_t bytes) { (void)Part(bytes); }
  bool empty() const { return rest_.empty(); }
  std::size_t size() const { return rest_.size(); }  // bytes that are left

 private:
  std::span<const std::byte> rest_;
};

}  // namespace warpcheck
