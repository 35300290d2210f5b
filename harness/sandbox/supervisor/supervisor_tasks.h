// Reads from /proc what the watched processes use. It uses the C library only, since the supervisor
// is small and static.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace warpcheck::sandbox {

struct TaskTotals {
  std::uint64_t tasks = 0;           // processes and threads
  std::uint64_t resident_bytes = 0;  // of all processes; shared pages count in each
  std::uint64_t cpu_ms = 0;          // of all processes, and of the ended ones that they waited for
};

// Sums over all processes but `self`: all that /proc shows, or only `self`'s descendants.
TaskTotals SumTasks(pid_t self, bool descendants_alone);

struct TaskActivity {
  std::uint64_t queued_us = 0;  // time in which living threads could run and had no processor
  bool awake = false;           // one thread runs, could run, or waits for a disk
};

// Looks at the processes that the last SumTasks() saw.
TaskActivity LookAtThreads(pid_t self, bool descendants_alone);

// Kills all descendants of `self`. Gives up after a second.
void KillDescendants(pid_t self);

}  // namespace warpcheck::sandbox
