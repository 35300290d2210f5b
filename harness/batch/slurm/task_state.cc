#include "batch/slurm/task_state.h"

#include <algorithm>
#include <span>

namespace warpcheck::batch {
namespace {

bool Contains(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::count(words, word) != 0;
}

// squeue(1) lists the states under JOB STATE CODES.
constexpr std::string_view kEndedStates[] = {"BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE",
                                             "FAILED",    "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
                                             "REVOKED",   "TIMEOUT"};
constexpr std::string_view kWaitingStates[] = {"PENDING",      "CONFIGURING", "REQUEUED",
                                               "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT"};
constexpr std::string_view kOwnFaults[] = {"FAILED", "OUT_OF_MEMORY", "TIMEOUT"};

// These reasons of squeue(1), JOB REASON CODES, end without the action of a person.
constexpr std::string_view kTurns[] = {"None",      "Priority", "Resources", "JobArrayTaskLimit",
                                       "BeginTime", "",         "Cleaning",  "Prolog",
                                       "Licenses"};

}  // namespace

TaskPhase PhaseOf(std::string_view state) {
  if (Contains(kEndedStates, state)) return TaskPhase::kEnded;
  return Contains(kWaitingStates, state) ? TaskPhase::kWaits : TaskPhase::kRuns;
}

bool MayBlameTask(std::string_view state) { return Contains(kOwnFaults, state); }

bool WaitsForPerson(std::string_view reason) { return !Contains(kTurns, reason); }

}  // namespace warpcheck::batch
