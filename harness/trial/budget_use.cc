#include "trial/budget_use.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace warpcheck {
namespace {

// Small calls fit into these, and larger ones do not.
constexpr std::uint64_t kFewInstructions = 2'000;
constexpr std::uint64_t kFewRequests = 40;
constexpr std::uint64_t kFewBytes = 100'000;
constexpr int kFewGroupsOfCalls = 3;

// The time of a host that did not return counts so many times.
constexpr int kTimesOfAFailure = 2;

bool UsedUpItsTime(const Trial& trial) {
  using sandbox::Cause;
  return trial.ending.cause == Cause::kCpuTime || trial.ending.cause == Cause::kIdle;
}

// Returns whether a kernel of the call did not end within its limit.
bool AnyEndless(const Trial& trial) {
  return std::ranges::find(trial.launches, DeviceError::kLaunchTimeout, &LaunchRecord::error) !=
         trial.launches.end();
}

}  // namespace

void BudgetUse::Add(const std::vector<Trial>& trials, const CallLimits& limits,
                    const remote::Requests& requests, std::chrono::milliseconds host_time) {
  requests_.number += requests.number;
  requests_.bytes += requests.bytes;
  std::uint64_t instructions = 0;
  for (const Trial& trial : trials) {
    instructions += trial.instructions;
    if (AnyEndless(trial)) instructions = limits.instructions;
    if (UsedUpItsTime(trial)) host_time = std::max(host_time, limits.host_time);
  }
  if (shortage_ == Shortage::kHostTime) {
    host_time = std::max(host_time, limits.submission.host_time / kFewGroupsOfCalls);
  }
  instructions_ += instructions;
  // Each call would be made until it fails in the same way.
  if (!trials.empty() && !trials.back().returned()) {
    host_time *= kTimesOfAFailure;
    failed_ = true;
  }
  host_time_ += host_time;
}

double BudgetUse::ShareOf(const SubmissionBudget& budget) const {
  const auto share = [](auto used, auto all) {
    return static_cast<double>(used) / static_cast<double>(all);
  };
  return share(instructions_, budget.instructions) + share(requests_.number, budget.requests) +
         share(requests_.bytes, budget.bytes) + share(host_time_.count(), budget.host_time.count());
}

std::optional<std::string> BudgetUse::Exhausted(const SubmissionBudget& budget) const {
  if (ShareOf(budget) < 1) return std::nullopt;
  std::vector<std::string> used;
  const auto add = [&](auto amount, auto all, std::string text) {
    if (100 * static_cast<double>(amount) < static_cast<double>(all)) return;
    const double percent = 100 * static_cast<double>(amount) / static_cast<double>(all);
    used.push_back(fmt::format("{} ({:.0f} %)", text, percent));
  };
  add(instructions_, budget.instructions,
      Grouped(instructions_) + " warp instructions, slow ones counted several times");
  add(requests_.number, budget.requests, Grouped(requests_.number) + " requests to the device");
  add(requests_.bytes, budget.bytes, Grouped(requests_.bytes) + " bytes moved");
  add(host_time_.count(), budget.host_time.count(),
      fmt::format("{:.1f} s on the host, waiting included{}",
                  std::chrono::duration<double>(host_time_).count(),
                  failed_ ? ", and twice where it did not return" : ""));
  return fmt::format("{}", fmt::join(used, " and "));
}

remote::Requests BudgetUse::Remaining(const SubmissionBudget& budget) const {
  const double left = std::max(0.0, 1 - ShareOf(budget));
  const auto part = [&](std::uint64_t all) {
    return static_cast<std::uint64_t>(std::llround(left * static_cast<double>(all)));
  };
  return {.number = part(budget.requests), .bytes = part(budget.bytes)};
}

CallLimits LimitsIn(Shortage shortage, CallLimits limits) {
  limits.instructions = InstructionsIn(shortage, limits.instructions);
  if (shortage == Shortage::kRequests) limits.submission.requests = kFewRequests;
  if (shortage == Shortage::kBytes) limits.submission.bytes = kFewBytes;
  return limits;
}

std::uint64_t InstructionsIn(Shortage shortage, std::uint64_t instructions) {
  return shortage == Shortage::kInstructions ? kFewInstructions : instructions;
}

}  // namespace warpcheck
