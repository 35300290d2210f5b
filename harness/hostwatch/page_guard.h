// The PageGuard sees which code of the host uses memory that the device may still be using. While
// the program's own code runs, the pages of that memory are protected. The first access of a page
// faults; the guard notes the access, opens the page, and the program goes on.
//
// Guards are per process: there is one object.
#pragma once

#include <pthread.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace warpcheck {

class PageGuard {
 public:
  // Pages of this process. The host may read them if `readable`.
  struct Pages {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    bool readable = false;
  };
  // An access of the host to protected pages.
  struct Touch {
    std::uintptr_t address = 0;  // of the byte
    std::uint64_t code = 0;      // address of the instruction
    bool writes = false;
    bool frees = false;  // free() got the byte's memory
    pthread_t thread = {};
    // The return addresses of the functions that called the code, the innermost first; 0 after the
    // last one. The code itself may belong to a library function, such as memcpy().
    std::array<std::uint64_t, 12> callers = {};
  };

  // Returns true if some pages of this process are protected.
  static bool IsClosed();
  // Says what a function of the C library does with memory that the program gives it.
  enum class Use : std::uint8_t { kRead, kWrite, kFree };

  // Call LetUse() before such a function works. The protected pages of `bytes` from `address` on
  // open, because the operating system cannot use them while they are protected, and because freed
  // memory gets other owners. Each counts as accessed by the code before `place`.
  static void LetUse(Use use, std::uintptr_t address, std::size_t bytes, std::uint64_t place);

  // LetUse() will be called before each free() of this process. Only then may memory of malloc() be
  // watched, which others may get next.
  static void TellOfFrees();
  static bool KnowsOfFrees();

  PageGuard() = default;
  ~PageGuard() { Clear(); }
  PageGuard(const PageGuard&) = delete;
  PageGuard& operator=(const PageGuard&) = delete;

  // Adds pages to those that Close() protects. Pages beyond a limit are left out (TakeLeftOut).
  void Add(const Pages& pages);
  // Opens all pages, and forgets them.
  void Clear();

  // Call Open() before, and Close() after the runtime works on memory. Open() returns the accesses
  // since Close(), up to a limit (TakeLeftOut).
  std::vector<Touch> Open();
  // Returns true if pages or accesses were left out since the last call of this function.
  bool TakeLeftOut() { return std::exchange(left_out_, false); }
  // Returns true if the program had undone the guard's work when Open() looked, since the last call
  // of this function: the faults of pages went to a handler of its own, or pages were open that
  // the guard had not opened. Accesses of the host may have been missed then.
  bool TakeUndone() { return std::exchange(undone_, false); }
  // Returns true if there are accesses that Open() would return.
  bool HasTouches() const;
  void Close();

 private:
  std::map<std::uintptr_t, Pages> pages_;  // by their begins, without overlaps
  bool left_out_ = false;
  bool undone_ = false;
  bool closed_ = false;
};

}  // namespace warpcheck
