#include "cudart/tables/host_thread.h"

#include <atomic>

namespace warpcheck::cudart {

HostThread ThisThread() {
  static std::atomic<HostThread> last = 0;
  thread_local const HostThread mine = ++last;
  return mine;
}

}  // namespace warpcheck::cudart
