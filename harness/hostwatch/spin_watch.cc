#include "hostwatch/spin_watch.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

namespace warpcheck {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(50);
constexpr auto kLongWait = std::chrono::seconds(1);  // of processor time

std::chrono::nanoseconds ProcessorTime() {
  timespec time = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

void SpinWatch::Start(std::function<void()> unblock) {
  if (std::exchange(started_, true)) return;
  // Signals are the program's own: its threads get them.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([this, unblock = std::move(unblock)] { Watch(unblock); }).detach();
  } catch (const std::system_error&) {
    // The program may have no more threads. Then a host that spins runs into its time limit.
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void SpinWatch::Watch(const std::function<void()>& unblock) {
  std::chrono::nanoseconds since = ProcessorTime();
  while (true) {
    std::this_thread::sleep_for(kLookEvery);
    const std::chrono::nanoseconds now = ProcessorTime();
    if (called_.exchange(false, std::memory_order_relaxed)) since = now;
    if (now - since < kLongWait) continue;
    unblock();
    since = now;
  }
}

}  // namespace warpcheck
