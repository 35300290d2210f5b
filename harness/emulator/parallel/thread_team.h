// Threads that wait for work, and do it together with the thread that brings it.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace warpcheck::emulator {

class ThreadTeam {
 public:
  // `size` threads, the caller's included; fewer where the system does not give as many.
  explicit ThreadTeam(unsigned size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // Threads that there are. In a process that was forked off since there is the caller's alone.
  unsigned size() const;
  // Calls work(i) for each i below size(), each on a thread of its own with the floating-point
  // environment of the caller, and returns when all have.
  void Run(const std::function<void(unsigned)>& work);

 private:
  void Wait(unsigned number);

  const pid_t process_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(unsigned)>* work_ = nullptr;
  std::uint64_t rounds_ = 0;  // of work that were begun
  unsigned running_ = 0;      // threads that have not ended this one
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace warpcheck::emulator
