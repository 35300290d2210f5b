// score: 0
// says: for something that never
// The program waits for a lock that nobody releases.
#include <mutex>

#include "transpose.h"

void transpose(const float*, float*, int, int) {
  static std::timed_mutex lock;
  while (!lock.try_lock_for(std::chrono::milliseconds(20))) {
  }
  while (!lock.try_lock_for(std::chrono::milliseconds(20))) {
  }
}
