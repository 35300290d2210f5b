// The PageGuard sees which code of the host uses memory that the device may still be using. While
// the program's own code runs, the pages of that memory are protected. The first access of a page
// faults; the guard notes the access, opens the page, and the program goes on.
//
// Guards are per process: there is one object.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpcheck::cudart {

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
    // The return addresses of the functions that called the code, the innermost first; 0 after the
    // last one. The code itself may belong to a library function, such as memcpy().
    std::array<std::uint64_t, 12> callers = {};
  };

  PageGuard() = default;
  ~PageGuard() { Clear(); }
  PageGuard(const PageGuard&) = delete;
  PageGuard& operator=(const PageGuard&) = delete;

  // Adds pages to those that Close() protects. Pages beyond a limit are left out.
  void Add(const Pages& pages);
  // Opens all pages, and forgets them.
  void Clear();

  // Call Open() before, and Close() after the runtime works on memory. Open() returns the accesses
  // since Close(), at most a few.
  std::vector<Touch> Open();
  void Close();

 private:
  std::vector<Pages> pages_;  // sorted, without overlaps
  bool closed_ = false;
};

}  // namespace warpcheck::cudart
