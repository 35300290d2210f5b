// ThreadTeam is a team of threads that wait for work, and do it together with the thread that
// brings it.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace warpcheck::emulator {

class ThreadTeam {
 public:
  // Makes a team of `size` threads, including the caller's. The team is smaller if the system does
  // not provide as many threads.
  explicit ThreadTeam(unsigned size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // Returns the number of threads. In a process that was forked since then, only the caller's
  // thread is left.
  unsigned size() const;
  // Calls work(i) for each i below size(), each on a thread of its own with the caller's
  // floating-point environment. Returns when all calls have returned.
  void Run(const std::function<void(unsigned)>& work);

 private:
  void Wait(unsigned number);

  const pid_t process_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(unsigned)>* work_ = nullptr;
  std::uint64_t rounds_ = 0;  // how many times work was started
  unsigned running_ = 0;      // threads that have not finished this work
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace warpcheck::emulator
