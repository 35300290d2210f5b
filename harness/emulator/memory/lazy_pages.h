// Maps large memory that is filled with zeros or with 0xFF. A page is made when it is first
// written: until then, all pages of a kind are one page of the system.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcheck::emulator {

// Returns `bytes` bytes of zeros, of which the `filled` bytes from the start are 0xFF; nullptr if
// there is no memory. Both are multiples of the page size. munmap() frees all of it.
std::byte* MapLazily(std::uint64_t bytes, std::uint64_t filled);

// Fills mapped memory of whole pages again with 0xFF, without making its pages.
void FillLazily(std::byte* start, std::uint64_t bytes);

}  // namespace warpcheck::emulator
