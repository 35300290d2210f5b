// Memory of this process in whole pages, and the question which of its pages have been used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

namespace warpcheck {

inline std::uintptr_t Address(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

std::size_t PageBytes();

// Maps zeroed memory of whole pages, at the address `at` unless it is nullptr. Returns nullptr if
// there is no memory, or if there is another mapping at that address.
std::byte* MapPages(std::size_t bytes, void* at = nullptr);
void UnmapPages(std::byte* start, std::size_t bytes);
// Fills memory as if others had used it before, for each `number` with other bytes, none of which
// is 0: as floats they are NaN, as integers they are large. Fills at most the first 64 MiB.
void FillWithRemains(std::byte* start, std::size_t bytes, std::uint32_t number);

// Returns true if every page of the range is mapped in this process, so that reading it cannot
// crash.
bool IsMapped(const void* start, std::uint64_t bytes);

// Calls visit(begin, end) for the offsets of the bytes, whole pages, that this process has used
// since it mapped the memory at `start`. All others are zeros, if nothing but zeros was mapped. If
// the system does not tell, all bytes count as used.
void EachUsedPart(const std::byte* start, std::uint64_t bytes,
                  const std::function<void(std::uint64_t begin, std::uint64_t end)>& visit);

// Bytes that start as zeros, and take room only where they are written.
class SparseBytes {
 public:
  SparseBytes() = default;
  // is_empty() tells that there was no memory.
  explicit SparseBytes(std::size_t bytes)
      : start_(bytes == 0 ? nullptr : MapPages(bytes)), bytes_(start_ == nullptr ? 0 : bytes) {}
  SparseBytes(SparseBytes&& other) noexcept
      : start_(std::exchange(other.start_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  SparseBytes& operator=(SparseBytes&& other) noexcept {
    std::swap(start_, other.start_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~SparseBytes() {
    if (start_ != nullptr) UnmapPages(start_, bytes_);
  }

  bool is_empty() const { return bytes_ == 0; }
  std::span<std::byte> bytes() { return {start_, bytes_}; }
  std::span<const std::byte> bytes() const { return {start_, bytes_}; }

 private:
  std::byte* start_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace warpcheck
