#include "checks/spending.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/grouped.h"

namespace warpcheck {
namespace {

using sandbox::Cause;

std::uint64_t Left(std::uint64_t all, std::uint64_t used) { return all - std::min(all, used); }

bool UsedUpItsTime(const Trial& trial) {
  return trial.ending.cause == Cause::kCpuTime || trial.ending.cause == Cause::kIdle;
}

bool Endless(const LaunchRecord& launch) { return launch.error == DeviceError::kLaunchTimeout; }

}  // namespace

void Spending::Add(const std::vector<Trial>& trials, const CallLimits& limits,
                   const remote::Requests& requests, std::chrono::milliseconds host_time) {
  requests_.number += requests.number;
  requests_.bytes += requests.bytes;
  std::uint64_t instructions = 0;
  for (const Trial& trial : trials) {
    instructions += trial.instructions;
    if (std::ranges::any_of(trial.launches, Endless)) instructions = limits.instructions;
    if (UsedUpItsTime(trial)) host_time = std::max(host_time, limits.host_time);
  }
  instructions_ += instructions;
  host_time_ += host_time;
}

std::optional<std::string> Spending::Exhausted(const SubmissionBudget& budget) const {
  if (instructions_ >= budget.instructions) {
    return fmt::format("{} warp instructions", Grouped(budget.instructions));
  }
  if (requests_.number >= budget.requests) {
    return fmt::format("{} requests to the device", Grouped(budget.requests));
  }
  if (requests_.bytes >= budget.bytes) {
    return fmt::format("{} bytes moved", Grouped(budget.bytes));
  }
  if (host_time_ >= budget.host_time) {
    return fmt::format("{} s on the host", std::chrono::duration<double>(budget.host_time).count());
  }
  return std::nullopt;
}

remote::Requests Spending::LeftOf(const SubmissionBudget& budget) const {
  return {.number = Left(budget.requests, requests_.number),
          .bytes = Left(budget.bytes, requests_.bytes)};
}

}  // namespace warpcheck
