// What the harness takes from GCC 12's libstdc++ and only from there: one function. With this in it,
// a program that is linked with that one runs with GCC 11's too.
#include <pthread.h>

#include <condition_variable>
#include <mutex>

void std::condition_variable::wait(std::unique_lock<std::mutex>& lock) noexcept {
  pthread_cond_wait(native_handle(), lock.mutex()->native_handle());
}
