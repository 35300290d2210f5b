// Defines the one function that the harness takes from GCC 12's libstdc++. A program with this file
// also runs with GCC 11's. The definition is weak, because a static libstdc++ has one too.
#include <pthread.h>

#include <condition_variable>
#include <mutex>

[[gnu::weak]] void std::condition_variable::wait(std::unique_lock<std::mutex>& lock) {
  pthread_cond_wait(native_handle(), lock.mutex()->native_handle());
}
