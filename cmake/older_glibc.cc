// Defines the functions for random bytes that Debian 12's libstdc++ and libarchive take from glibc
// 2.36. A program with this file also runs with an older glibc.
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {

void arc4random_buf(void* to, std::size_t bytes) noexcept {
  constexpr std::size_t kMost = 256;  // getrandom returns at most this many bytes at once
  for (char* at = static_cast<char*>(to); bytes > 0;) {
    const ssize_t got = ::getrandom(at, std::min(bytes, kMost), 0);
    if (got < 0 && errno != EINTR) std::abort();
    if (got <= 0) continue;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  arc4random_buf(&value, sizeof value);
  return value;
}

}  // end of extern "C"
