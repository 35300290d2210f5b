// What libstdc++ and libarchive, as Debian 12 has them, take from glibc 2.36 and only from there:
// random bytes. With this in it, a program that is linked with them runs with an older glibc too.
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {

void arc4random_buf(void* to, std::size_t bytes) noexcept {
  constexpr std::size_t kMost = 256;  // that getrandom gives whole
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

}  // extern "C"
