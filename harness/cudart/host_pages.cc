#include "cudart/host_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/round_up.h"

namespace warpcheck::cudart {
namespace {

std::size_t WholePages(std::size_t bytes) { return RoundUp(bytes, PageBytes()); }

}  // namespace

std::size_t PageBytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::byte* MapPages(std::size_t bytes, void* at) {
  if (bytes == 0 || bytes > PTRDIFF_MAX / 2) return nullptr;
  const int fixed = at != nullptr ? MAP_FIXED_NOREPLACE : 0;
  void* const start = mmap(at, WholePages(bytes), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  if (at != nullptr && start != at) {  // a kernel before 4.17
    munmap(start, WholePages(bytes));
    return nullptr;
  }
  return static_cast<std::byte*>(start);
}

void UnmapPages(std::byte* start, std::size_t bytes) { munmap(start, WholePages(bytes)); }

bool IsMapped(const void* start, std::uint64_t bytes) {
  const std::uint64_t page = PageBytes();
  const auto begin = reinterpret_cast<std::uintptr_t>(start);
  if (bytes == 0) return true;
  if (begin == 0 || bytes > UINTPTR_MAX - begin - page) return false;
  const std::uint64_t end = RoundUp(begin + bytes, page);
  std::array<unsigned char, 4096> resident;
  for (std::uint64_t at = begin / page * page; at < end;) {
    const std::uint64_t step = std::min<std::uint64_t>(end - at, resident.size() * page);
    if (mincore(reinterpret_cast<void*>(at), step, resident.data()) != 0) {
      if (errno == ENOMEM) return false;
      if (errno != EAGAIN) return true;  // a sandbox that forbids the question
      continue;
    }
    at += step;
  }
  return true;
}

}  // namespace warpcheck::cudart
