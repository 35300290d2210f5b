#include "batch/slurm_watch.h"

#include <algorithm>
#include <array>

namespace warpcheck::batch {
namespace {

template <std::size_t kSize>
bool Contains(const std::array<std::string_view, kSize>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// squeue(1), JOB STATE CODES.
constexpr std::array<std::string_view, 10> kEndedStates = {
    "BOOT_FAIL", "CANCELLED",     "COMPLETED", "DEADLINE", "FAILED",
    "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED",  "TIMEOUT"};
constexpr std::array<std::string_view, 6> kWaitingStates = {
    "PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT"};
constexpr std::array<std::string_view, 3> kOwnFaults = {"FAILED", "OUT_OF_MEMORY", "TIMEOUT"};

// squeue(1), JOB REASON CODES: those that pass by themselves.
constexpr std::array<std::string_view, 9> kTurns = {
    "None", "Priority", "Resources", "JobArrayTaskLimit", "BeginTime",
    "",     "Cleaning", "Prolog",    "Licenses"};

}  // namespace

TaskPhase PhaseOf(std::string_view state) {
  if (Contains(kEndedStates, state)) return TaskPhase::kEnded;
  return Contains(kWaitingStates, state) ? TaskPhase::kWaits : TaskPhase::kRuns;
}

bool MayBlameTask(std::string_view state) { return Contains(kOwnFaults, state); }

bool WaitsForSomebody(std::string_view reason) { return !Contains(kTurns, reason); }

}  // namespace warpcheck::batch
