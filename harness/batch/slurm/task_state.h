// Interprets the states and reasons of Slurm's queue: they say whether a task runs, and whether it
// caused its own end.
#pragma once

#include <string_view>

namespace warpcheck::batch {

enum class TaskPhase {
  kWaits,  // the task has not begun, or will begin again
  kRuns,   // the task runs, or is just ending
  kEnded,
};
TaskPhase PhaseOf(std::string_view state);

// Returns true if the task's own work may have ended it: it failed, or used up its time or memory.
// Otherwise a person or the node ended it.
bool MayBlameTask(std::string_view state);

// Returns true if a task cannot start before a person acts, instead of just waiting for its turn.
bool WaitsForPerson(std::string_view reason);

}  // namespace warpcheck::batch
