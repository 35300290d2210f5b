// Defines functions of the C library that take memory of the program, for libcudart.so, which a
// program loads before the C library. The operating system cannot use pages that are protected, and
// free() gives them to others. So each function first opens those pages, which counts as the
// program's access (hostwatch/page_guard.h). Then it calls the function of the same name that
// the program would have without this library.
#include <dlfcn.h>
#include <malloc.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "hostwatch/page_guard.h"

extern "C" {
void __libc_free(void* memory);
void* __libc_realloc(void* memory, std::size_t bytes);
}

namespace {

using warpcheck::PageGuard;
using Use = PageGuard::Use;

// dlsym() may call these two, so that a function may not look for them when it is called.
decltype(&std::free) next_free = nullptr;
decltype(&std::realloc) next_realloc = nullptr;

template <class Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

[[gnu::constructor]] void FindNext() {
  next_free = Next<decltype(std::free)>("free");
  next_realloc = Next<decltype(std::realloc)>("realloc");
  PageGuard::TellOfFrees();
}

[[gnu::always_inline]] inline void LetUse(Use use, const void* memory, std::size_t bytes) {
  PageGuard::LetUse(use, reinterpret_cast<std::uintptr_t>(memory), bytes,
                    reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
}

[[gnu::always_inline]] inline void LetUse(Use use, const iovec* parts, int count) {
  for (const iovec& part : std::span(parts, count > 0 ? static_cast<std::size_t>(count) : 0)) {
    LetUse(use, part.iov_base, part.iov_len);
  }
}

[[gnu::always_inline]] inline void LetFree(void* memory) {
  if (memory != nullptr && PageGuard::IsClosed()) {
    LetUse(Use::kFree, memory, ::malloc_usable_size(memory));
  }
}

}  // namespace

extern "C" {

void free(void* memory) noexcept {
  LetFree(memory);
  next_free != nullptr ? next_free(memory) : __libc_free(memory);
}

void* realloc(void* memory, std::size_t bytes) noexcept {
  LetFree(memory);
  return next_realloc != nullptr ? next_realloc(memory, bytes) : __libc_realloc(memory, bytes);
}

ssize_t read(int file, void* to, std::size_t bytes) {
  static auto* const next = Next<decltype(read)>("read");
  LetUse(Use::kWrite, to, bytes);
  return next(file, to, bytes);
}

ssize_t pread(int file, void* to, std::size_t bytes, off_t offset) {
  static auto* const next = Next<decltype(pread)>("pread");
  LetUse(Use::kWrite, to, bytes);
  return next(file, to, bytes, offset);
}

ssize_t readv(int file, const iovec* parts, int count) {
  static auto* const next = Next<decltype(readv)>("readv");
  LetUse(Use::kWrite, parts, count);
  return next(file, parts, count);
}

ssize_t recv(int socket, void* to, std::size_t bytes, int flags) {
  static auto* const next = Next<decltype(recv)>("recv");
  LetUse(Use::kWrite, to, bytes);
  return next(socket, to, bytes, flags);
}

std::size_t fread(void* to, std::size_t bytes, std::size_t count, std::FILE* file) {
  static auto* const next = Next<decltype(fread)>("fread");
  LetUse(Use::kWrite, to, bytes * count);
  return next(to, bytes, count, file);
}

ssize_t write(int file, const void* from, std::size_t bytes) {
  static auto* const next = Next<decltype(write)>("write");
  LetUse(Use::kRead, from, bytes);
  return next(file, from, bytes);
}

ssize_t pwrite(int file, const void* from, std::size_t bytes, off_t offset) {
  static auto* const next = Next<decltype(pwrite)>("pwrite");
  LetUse(Use::kRead, from, bytes);
  return next(file, from, bytes, offset);
}

ssize_t writev(int file, const iovec* parts, int count) {
  static auto* const next = Next<decltype(writev)>("writev");
  LetUse(Use::kRead, parts, count);
  return next(file, parts, count);
}

ssize_t send(int socket, const void* from, std::size_t bytes, int flags) {
  static auto* const next = Next<decltype(send)>("send");
  LetUse(Use::kRead, from, bytes);
  return next(socket, from, bytes, flags);
}

std::size_t fwrite(const void* from, std::size_t bytes, std::size_t count, std::FILE* file) {
  static auto* const next = Next<decltype(fwrite)>("fwrite");
  LetUse(Use::kRead, from, bytes * count);
  return next(from, bytes, count, file);
}

}  // end of extern "C"
