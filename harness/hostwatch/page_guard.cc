// The basic idea: a page without rights tells of its first use.
//
//     the runtime returns to the program    Close() takes the rights of the pages (mprotect)
//     the program reads x[3]                SIGSEGV: OnFault notes the address and the code, and
//                                           gives the page its rights
//                                           the instruction runs again, and succeeds
//     the program calls the runtime again   Open() gives all pages their rights, and returns what
//                                           was noted
//
// So between two calls a page costs one fault, or two if it is first read and then written, however
// often the program uses it. Functions that let the operating system use a page say so before
// (LetUse), because the operating system would not fault: it would fail.
#include "hostwatch/page_guard.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <ranges>
#include <span>

#include "debuginfo/callers.h"
#include "hostwatch/host_pages.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMostPages = 4096;    // ranges of pages
constexpr std::size_t kMostTouches = 1024;  // that are noted between two calls
// A fault outside protected pages may come from pages that another thread has just opened: it is
// tried again this often before it counts as the program's own.
constexpr int kTries = 3;

// The signal handler uses only this data. The handler takes no memory, and waits only for other
// handlers and for Open() and Close().
struct Shared {
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  std::array<PageGuard::Pages, kMostPages> pages;
  std::atomic<std::size_t> page_count = 0;
  std::array<PageGuard::Touch, kMostTouches> touches;
  std::size_t touch_count = 0;
  bool left_out = false;  // there were more touches
  bool installed = false;
  struct sigaction before = {};
  std::uintptr_t page_bytes = 4096;
};
Shared guarded;
std::atomic<bool> knows_of_frees = false;
thread_local bool is_busy = false;  // this thread has set Shared::busy, or is about to

// The last fault of this thread outside protected pages.
struct Stray {
  std::uintptr_t address = 0;
  int count = 0;  // how often it came
};
thread_local Stray stray;

class Busy {
 public:
  Busy() {
    is_busy = true;
    while (guarded.busy.test_and_set(std::memory_order_acquire)) ::sched_yield();
  }
  ~Busy() {
    guarded.busy.clear(std::memory_order_release);
    is_busy = false;
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
};

void Allow(std::uintptr_t begin, std::uintptr_t end, int protection) {
  ::mprotect(reinterpret_cast<void*>(begin), end - begin, protection);
}

std::uintptr_t PageOf(std::uintptr_t address) {
  return address / guarded.page_bytes * guarded.page_bytes;
}

// Returns true if the page at `page` was open before this access.
bool IsOpen(std::uintptr_t page) {
  const auto touches = std::span(guarded.touches).first(guarded.touch_count);
  return std::ranges::any_of(
      touches, [&](const PageGuard::Touch& touch) { return PageOf(touch.address) == page; });
}

// Notes an access of a page, and opens the page. The first read opens it for reads only, so that a
// later write is noted too. The callers are found from `frame` upwards.
void Note(const PageGuard::Touch& touch, std::uint64_t frame) {
  const std::uintptr_t page = PageOf(touch.address);
  const bool only_read = !touch.writes && !IsOpen(page);
  if (guarded.touch_count < guarded.touches.size()) {
    PageGuard::Touch& noted = guarded.touches[guarded.touch_count++];
    noted = touch;
    noted.thread = ::pthread_self();
    CallersOf(frame, noted.callers);
  } else {
    guarded.left_out = true;
  }
  Allow(page, page + guarded.page_bytes, only_read ? PROT_READ : PROT_READ | PROT_WRITE);
}

std::uint64_t CodeOf(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
#else
  return context.uc_mcontext.pc;
#endif
}

bool Writes(const ucontext_t& context, bool readable) {
#if defined(__x86_64__)
  constexpr long kWriteBit = 2;  // of a page fault's error code
  return readable || (context.uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
#else
  (void)context;
  return readable;
#endif
}

// Gives faults back to whoever had them before.
void LeaveToOthers() {
  ::sigaction(SIGSEGV, &guarded.before, nullptr);
  guarded.installed = false;
}

// Returns the protected pages that hold an address, or nullptr.
const PageGuard::Pages* PagesAt(std::uintptr_t address) {
  const auto pages = std::span(guarded.pages).first(guarded.page_count);
  const auto found = std::ranges::find_if(pages, [&](const PageGuard::Pages& one) {
    return one.begin <= address && address < one.end;
  });
  return found == pages.end() ? nullptr : &*found;
}

void TakeStray(std::uintptr_t address) {
  if (address != stray.address) stray = {.address = address, .count = 0};
  if (++stray.count >= kTries) LeaveToOthers();
}

// A handler of the program's signals has interrupted this thread while it opens or closes pages.
// The access goes on and is not noted: what notes it is in the middle of its work.
void OnFaultWhileBusy(std::uintptr_t address) {
  if (PagesAt(address) == nullptr) return TakeStray(address);
  guarded.left_out = true;
  const std::uintptr_t page = PageOf(address);
  Allow(page, page + guarded.page_bytes, PROT_READ | PROT_WRITE);
}

void OnFault(int, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (is_busy) {
    OnFaultWhileBusy(address);
  } else {
    const Busy busy;
    const auto& machine = *static_cast<const ucontext_t*>(context);
    if (const PageGuard::Pages* const found = PagesAt(address)) {
      const std::uint64_t code = CodeOf(machine);
      Note({.address = address, .code = code, .writes = Writes(machine, found->readable)}, code);
    } else {
      TakeStray(address);
    }
  }
  errno = error;
}

bool HasTheFaults() {
  struct sigaction now = {};
  return ::sigaction(SIGSEGV, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
         now.sa_sigaction == &OnFault;
}

void Install() {
  if (guarded.installed) return;
  struct sigaction action = {};
  action.sa_sigaction = &OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  // No other handler may use protected pages meanwhile: a fault that is blocked ends the process.
  ::sigfillset(&action.sa_mask);
  guarded.page_bytes = PageBytes();
  guarded.installed = ::sigaction(SIGSEGV, &action, &guarded.before) == 0;
}

// Asks the operating system whether this process may read, or write, the byte at `address`. No byte
// changes.
bool MayRead(std::uintptr_t address) {
  constexpr int kNoWay = 99;  // fails, but only after the set was read
  constexpr std::size_t kSetBytes = 8;
  return ::syscall(SYS_rt_sigprocmask, kNoWay, address, nullptr, kSetBytes) != 0 && errno != EFAULT;
}

bool MayWrite(std::uintptr_t address) {
  std::uint32_t nobody = 0;
  // Adds 0 to the word, and wakes nobody.
  return ::syscall(SYS_futex, &nobody, FUTEX_WAKE_OP_PRIVATE, 0, 0, address,
                   FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0)) >= 0;
}

// Returns true if a page is open although the guard has not opened it. Looks at about `most` pages,
// spread evenly.
bool AnyOpenedByOthers(const PageGuard::Pages& pages, std::size_t most) {
  const std::uintptr_t count = (pages.end - pages.begin) / guarded.page_bytes;
  const std::uintptr_t step = std::max<std::uintptr_t>(1, (count + most - 1) / most);
  for (std::uintptr_t i = 0; i < count; i += step) {
    const std::uintptr_t page = pages.begin + i * guarded.page_bytes;
    if (IsOpen(page)) continue;
    if (pages.readable ? MayWrite(page) : MayRead(page)) return true;
  }
  return false;
}

// Returns true if the program has undone what the guard did. Each call looks at so many pages, of
// all ranges if there are no more of them, and else of the ranges that come next.
bool IsUndone() {
  constexpr std::size_t kMost = 64;
  static std::size_t turn = 0;  // calls of the runtime come one after the other
  if (!guarded.installed || guarded.left_out) return false;
  const int error = errno;
  bool undone = !HasTheFaults();
  const std::size_t count = guarded.page_count;
  for (std::size_t i = 0; !undone && i < std::min(count, kMost); ++i) {
    undone =
        AnyOpenedByOthers(guarded.pages[turn++ % count], std::max<std::size_t>(1, kMost / count));
  }
  errno = error;
  return undone;
}

}  // namespace

void PageGuard::TellOfFrees() { knows_of_frees = true; }

bool PageGuard::KnowsOfFrees() { return knows_of_frees; }

bool PageGuard::IsClosed() { return guarded.page_count != 0; }

void PageGuard::LetUse(Use use, std::uintptr_t address, std::size_t bytes, std::uint64_t place) {
  // A handler of signals may call such a function while this thread opens or closes pages.
  if (bytes == 0 || !IsClosed() || is_busy) return;
  const int error = errno;
  {
    const Busy busy;
    const std::uintptr_t last = address + bytes;
    for (const Pages& one : std::span(guarded.pages).first(guarded.page_count)) {
      if (use == Use::kRead && one.readable) continue;
      const std::uintptr_t end = std::min(last, one.end);
      for (std::uintptr_t at = std::max(address, one.begin); at < end;
           at = PageOf(at) + guarded.page_bytes) {
        if (use != Use::kFree && IsOpen(PageOf(at))) continue;
        Note({.address = at,
              .code = place - 1,
              .writes = use != Use::kRead,
              .frees = use == Use::kFree},
             place);
      }
    }
  }
  errno = error;
}

void PageGuard::Add(const Pages& added) {
  Pages pages = added;
  std::vector<Pages> rest;  // the parts of older pages that are not covered
  auto at = pages_.upper_bound(pages.begin);
  if (at != pages_.begin()) --at;
  while (at != pages_.end() && at->first <= pages.end) {
    const Pages one = at->second;
    const bool apart = one.end < pages.begin;
    const bool touch = one.end == pages.begin || one.begin == pages.end;
    if (apart || (touch && one.readable != pages.readable)) {
      ++at;
      continue;
    }
    at = pages_.erase(at);
    if (one.readable == pages.readable || (one.begin >= pages.begin && one.end <= pages.end)) {
      pages.begin = std::min(pages.begin, one.begin);
      pages.end = std::max(pages.end, one.end);
    } else {
      if (one.begin < pages.begin) rest.push_back({one.begin, pages.begin, one.readable});
      if (one.end > pages.end) rest.push_back({pages.end, one.end, one.readable});
    }
    pages.readable = pages.readable && one.readable;
  }
  rest.push_back(pages);
  for (const Pages& one : rest) {
    if (pages_.size() < kMostPages) {
      pages_[one.begin] = one;
    } else {
      left_out_ = true;
    }
  }
}

void PageGuard::Clear() {
  (void)Open();
  pages_.clear();
}

std::vector<PageGuard::Touch> PageGuard::Open() {
  if (!closed_) return {};
  closed_ = false;
  const Busy busy;
  undone_ = undone_ || IsUndone();
  for (const Pages& one : std::span(guarded.pages).first(guarded.page_count)) {
    Allow(one.begin, one.end, PROT_READ | PROT_WRITE);
  }
  guarded.page_count = 0;
  std::vector<Touch> touches(
      guarded.touches.begin(),
      guarded.touches.begin() + static_cast<std::ptrdiff_t>(guarded.touch_count));
  guarded.touch_count = 0;
  left_out_ = left_out_ || std::exchange(guarded.left_out, false);
  return touches;
}

bool PageGuard::HasTouches() const {
  const Busy busy;
  return closed_ && guarded.touch_count != 0;
}

void PageGuard::Close() {
  if (closed_ || pages_.empty()) return;
  closed_ = true;
  const Busy busy;
  Install();
  if (!guarded.installed) return;
  std::ranges::copy(pages_ | std::views::values, guarded.pages.begin());
  guarded.page_count = pages_.size();
  for (const auto& [begin, one] : pages_)
    Allow(one.begin, one.end, one.readable ? PROT_READ : PROT_NONE);
}

}  // namespace warpcheck
