// Reads from /proc what the watched processes use. It uses only the C library, because the
// supervisor is small and static.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace warpcheck::sandbox {

struct TaskTotals {
  std::uint64_t tasks = 0;           // the number of processes and threads
  std::uint64_t resident_bytes = 0;  // memory of all processes; shared pages count in each
  // Processor time of all processes, and of the ended ones that they waited for.
  std::uint64_t cpu_ms = 0;
};

// Adds up over all processes except `self`: either all that /proc shows, or only the descendants of
// `self`.
TaskTotals SumTasks(pid_t self, bool descendants_alone);

struct TaskActivity {
  std::uint64_t queued_us = 0;  // the time in which living threads were ready and had no processor
  bool awake = false;           // true if a thread runs, is ready, or waits for a disk
};

// Reads the activity of the processes that the last SumTasks() saw.
TaskActivity LookAtThreads(pid_t self, bool descendants_alone);

// Kills all descendants of `self`. Gives up after a second.
void KillDescendants(pid_t self);

}  // namespace warpcheck::sandbox
