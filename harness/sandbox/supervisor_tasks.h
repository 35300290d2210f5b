// What the supervisor sees of the processes that it watches, through /proc. C library only: the
// supervisor is small and static.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace warpcheck::sandbox {

struct TaskTotals {
  std::uint64_t tasks = 0;           // processes and threads
  std::uint64_t resident_bytes = 0;  // of all together; shared pages count in each
  std::uint64_t cpu_ms = 0;          // of all together, and of those that they have waited for
};

// Sums over every process but `self`: all that /proc shows, or `self`'s descendants alone.
TaskTotals SumTasks(pid_t self, bool descendants_alone);

struct TaskActivity {
  std::uint64_t queued_us = 0;  // threads could run and had no processor; of all that live
  bool awake = false;           // one of them runs, could run, or waits for a disk
};

// Of the processes that SumTasks has just seen.
TaskActivity LookAtThreads(pid_t self, bool descendants_alone);

// Kills every descendant of `self`, and theirs, until none is left or it has tried for a second.
void KillDescendants(pid_t self);

}  // namespace warpcheck::sandbox
