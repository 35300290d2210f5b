// The SpinWatch notices a host that works for long without a call of the runtime. Such a host may
// look again and again at memory whose new bytes are still late, and would never see them.
#pragma once

#include <atomic>
#include <functional>

namespace warpcheck {

class SpinWatch {
 public:
  // Calls unblock() in a thread of its own, each time this process has worked for one second of
  // processor time since the last Called(). Only the first Start() has an effect. The thread never
  // ends, so that the object and what `unblock` uses must live as long as the process.
  void Start(std::function<void()> unblock);
  // The program has called the runtime.
  void Called() { called_.store(true, std::memory_order_relaxed); }

 private:
  void Watch(const std::function<void()>& unblock);

  bool started_ = false;
  std::atomic<bool> called_ = false;
};

}  // namespace warpcheck
