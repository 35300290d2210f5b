#include "emulator/memory/lazy_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace warpcheck::emulator {
namespace {

// The size of the file of 0xFF. Each mapping of it is one of the 65,530 that a process may have.
constexpr std::uint64_t kFileBytes = std::uint64_t{16} << 20;

// Returns a file in memory that holds 0xFF, or -1 if the system has no such files. The mappings of
// this process are private, so that it never changes.
int FilledFile() {
  static const int file = [] {
    const int made = ::memfd_create("warpcheck: 0xff", MFD_CLOEXEC);
    if (made < 0 || ::ftruncate(made, kFileBytes) != 0) return -1;
    void* const bytes = ::mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
    if (bytes == MAP_FAILED) return -1;
    std::memset(bytes, 0xFF, kFileBytes);
    ::munmap(bytes, kFileBytes);
    return made;
  }();
  return file;
}

}  // namespace

void FillLazily(std::byte* start, std::uint64_t bytes) {
  const int file = FilledFile();
  for (std::uint64_t at = 0; at < bytes;) {
    const std::uint64_t part = std::min(bytes - at, kFileBytes);
    const bool mapped =
        file >= 0 && ::mmap(start + at, part, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) != MAP_FAILED;
    if (!mapped) {
      // A confined process has no such files. Both calls fail on old kernels; then filling the
      // memory creates the pages one by one.
      if (::madvise(start + at, part, MADV_HUGEPAGE) == 0) {
        ::madvise(start + at, part, MADV_POPULATE_WRITE);
      }
      std::memset(start + at, 0xFF, part);
    }
    at += part;
  }
}

std::byte* MapLazily(std::uint64_t bytes, std::uint64_t filled) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const start = static_cast<std::byte*>(memory);
  FillLazily(start, filled);
  return start;
}

}  // namespace warpcheck::emulator
