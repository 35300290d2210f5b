#include "hostwatch/host_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/round_up.h"

namespace warpcheck {
namespace {

std::size_t WholePages(std::size_t bytes) { return RoundUp(bytes, PageBytes()); }

// Reads the entries of pages from /proc/self/pagemap (Linux, "Examining Process Page Tables").
// Returns false if the system does not tell.
bool ReadEntries(std::uint64_t first_page, std::span<std::uint64_t> entries) {
  // A forked process must open its own.
  const int file = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t wanted = static_cast<ssize_t>(entries.size_bytes());
  const ssize_t got = ::pread(file, entries.data(), entries.size_bytes(),
                              static_cast<off_t>(first_page * sizeof(std::uint64_t)));
  ::close(file);
  return got == wanted;
}

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
  if (at != nullptr && start != at) {  // the kernel is Linux before 4.17
    munmap(start, WholePages(bytes));
    return nullptr;
  }
  return static_cast<std::byte*>(start);
}

void FillWithRemains(std::byte* start, std::size_t bytes, std::uint32_t number) {
  constexpr std::size_t kMost = std::size_t{64} << 20;
  constexpr std::uint32_t kNan = 0x7FC0'0000;
  constexpr std::uint32_t kEveryByte = 0x0001'0101;
  const std::uint32_t sign = number % 2 << 31;
  const std::uint32_t word = kNan | kEveryByte | sign | (number * 0x9E37'79B1U >> 10);
  const std::size_t count = std::min(bytes, kMost);
  for (std::size_t at = 0; at < count; at += sizeof word) {
    std::memcpy(start + at, &word, std::min(sizeof word, count - at));
  }
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
      if (errno != EAGAIN) return true;  // a sandbox may forbid this call
      continue;
    }
    at += step;
  }
  return true;
}

void EachUsedPart(const std::byte* start, std::uint64_t bytes,
                  const std::function<void(std::uint64_t begin, std::uint64_t end)>& visit) {
  constexpr std::uint64_t kPresentOrSwapped = std::uint64_t{3} << 62;
  const std::uint64_t page = PageBytes();
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  const std::uint64_t begin_page = address / page;
  const std::uint64_t end_page = (address + bytes + page - 1) / page;
  const auto tell = [&](std::uint64_t first, std::uint64_t last) {  // pages
    const std::uint64_t from = std::max<std::uint64_t>(first * page, address);
    const std::uint64_t to = std::min<std::uint64_t>(last * page, address + bytes);
    if (from < to) visit(from - address, to - address);
  };
  std::array<std::uint64_t, 4096> entries;
  for (std::uint64_t at = begin_page; at < end_page;) {
    const std::uint64_t count = std::min<std::uint64_t>(end_page - at, entries.size());
    if (!ReadEntries(at, std::span(entries).first(count))) return tell(at, end_page);
    for (std::uint64_t i = 0; i < count;) {
      const bool used = (entries[i] & kPresentOrSwapped) != 0;
      std::uint64_t same = i + 1;
      while (same < count && ((entries[same] & kPresentOrSwapped) != 0) == used) ++same;
      if (used) tell(at + i, at + same);
      i = same;
    }
    at += count;
  }
}

}  // namespace warpcheck
