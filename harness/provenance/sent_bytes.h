// SentBytes tells what the host sends to the device in a call with arrays in memory of the host.
// The host knows these arrays, so it could compute the result itself and send it. Therefore bytes
// that it sends should be bytes of the arrays, as they lie there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace warpcheck {

class SentBytes {
 public:
  // Arrays that are smaller together are not watched: a halo is a large part of them.
  static constexpr std::uint64_t kLeast = 65'536;
  // Launches may pass this many bytes of parameters, such as pointers and lengths.
  static constexpr std::uint64_t kParameters = 64;

  // Begins a call with these arrays, which must stay as they are until the next call.
  void Begin(std::vector<std::span<const std::byte>> arrays);
  bool watches() const { return !arrays_.empty(); }
  // Notes that the host sent these bytes.
  void Sent(std::span<const std::byte> bytes);
  // Notes that the host passed so many bytes of parameters to a kernel.
  void Passed(std::uint64_t bytes);

  // The bytes of the arrays, and the bytes that were sent and are in none of them. Fewer than
  // kWindow bytes that lie together in an array are not recognised.
  std::uint64_t of_arrays() const { return of_arrays_; }
  std::uint64_t foreign() const { return foreign_; }

 private:
  static constexpr std::size_t kWindow = 16;  // bytes
  static constexpr std::size_t kStep = 4;     // windows begin at multiples of it
  struct Place {
    std::size_t array = 0;
    std::size_t at = 0;
  };
  // Returns how many bytes from the start of `bytes` lie together in an array; 0 if it is less than
  // a window.
  std::size_t Known(std::span<const std::byte> bytes) const;

  std::vector<std::span<const std::byte>> arrays_;
  std::unordered_map<std::uint64_t, Place> windows_;  // the first place of each, by its hash
  std::uint64_t of_arrays_ = 0;
  std::uint64_t foreign_ = 0;
};

}  // namespace warpcheck
