// ReturnedBytes tells which writes of the host only hand back what it has read from the inputs of
// the call, such as an image that goes by way of the host into a texture array. The host adds
// nothing to such bytes, whatever they are.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace warpcheck {

class ReturnedBytes {
 public:
  // A Place tells which read the bytes come from, and where they lie in it. It says nothing about
  // their values.
  struct Place {
    std::uint64_t read = 0;    // the number of the read
    std::uint64_t offset = 0;  // in the bytes of that read
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  // Notes that the host has read these bytes of an input.
  void Read(std::span<const std::byte> bytes);
  // Returns the place of bytes that the host writes, if they are the first bytes of a read, or
  // follow the last bytes of that read that were found.
  std::optional<Place> Find(std::span<const std::byte> bytes);
  void Forget() { *this = {}; }

 private:
  static constexpr std::size_t kMostReads = 16;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // of all reads that are kept
  struct Kept {
    std::vector<std::byte> bytes;
    std::size_t next = 0;  // behind the bytes that were found last
  };
  std::vector<Kept> reads_;
  std::size_t bytes_ = 0;
};

}  // namespace warpcheck
