#include "emulator/parallel/thread_team.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cfenv>
#include <system_error>

namespace warpcheck::emulator {
namespace {

// Blocks all signals in threads that are started while the object lives.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

ThreadTeam::ThreadTeam(unsigned size) : process_(::getpid()) {
  const BlockedSignals blocked;
  try {
    for (unsigned i = 1; i < size; ++i) threads_.emplace_back([this, i] { Wait(i); });
  } catch (const std::system_error&) {  // the team consists of the threads that were started
  }
}

ThreadTeam::~ThreadTeam() {
  if (::getpid() != process_) {  // the threads stayed in the parent process
    for (std::thread& thread : threads_) thread.detach();
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

unsigned ThreadTeam::size() const {
  return ::getpid() == process_ ? static_cast<unsigned>(threads_.size()) + 1 : 1;
}

void ThreadTeam::Run(const std::function<void(unsigned)>& work) {
  std::fenv_t environment;
  std::fegetenv(&environment);
  const std::function<void(unsigned)> with_environment = [&](unsigned number) {
    std::fesetenv(&environment);
    work(number);
  };
  {
    const std::scoped_lock lock(mutex_);
    work_ = &with_environment;
    running_ = static_cast<unsigned>(threads_.size());
    ++rounds_;
  }
  changed_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return running_ == 0; });
}

void ThreadTeam::Wait(unsigned number) {
  std::uint64_t done = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || rounds_ != done; });
    if (ending_) return;
    done = rounds_;
    const auto* const work = work_;
    lock.unlock();
    (*work)(number);
    lock.lock();
    if (--running_ == 0) changed_.notify_all();
  }
}

}  // namespace warpcheck::emulator
