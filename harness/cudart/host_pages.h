// Pages of this process's own memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcheck::cudart {

std::size_t PageBytes();

// Zeroed memory of whole pages, at `at` where that is not nullptr; nullptr where there is none, or
// where something else is there already.
std::byte* MapPages(std::size_t bytes, void* at = nullptr);
void UnmapPages(std::byte* start, std::size_t bytes);

// True where every page of the range is mapped in this process, so that reading it is no crash.
bool IsMapped(const void* start, std::uint64_t bytes);

}  // namespace warpcheck::cudart
