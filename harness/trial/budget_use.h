// BudgetUse adds up how much of its budget a submission has used.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "remote/session.h"
#include "results/checks_order.h"
#include "trial/devices/call_limits.h"
#include "trial/trial.h"

namespace warpcheck {

// For each part of the budget, the share that is used, from 0 to 1. The budget is exhausted when
// the sum of the shares reaches 1.
class BudgetUse {
 public:
  explicit BudgetUse(Shortage shortage = Shortage::kNone) : shortage_(shortage) {}

  // Adds calls that were made in turn under `limits`. `host_time` is the time that their host was
  // seen to use. A call that was stopped at a limit counts as if it had used all of that limit, so
  // that the same program always gets the same verdict. The time of a host that did not return from
  // a call counts twice, so that a program that always fails late is not called many times.
  void Add(const std::vector<Trial>& trials, const CallLimits& limits,
           const remote::Requests& requests, std::chrono::milliseconds host_time);

  // Returns nullopt while a further call may be made. Otherwise returns what has used up the
  // budget: "12,000,000 bytes moved (40 %) and 12.0 s on the host, waiting included (60 %)".
  std::optional<std::string> Exhausted(const SubmissionBudget& budget) const;

  // Returns how many requests and bytes a further call may use.
  remote::Requests Remaining(const SubmissionBudget& budget) const;

 private:
  double ShareOf(const SubmissionBudget& budget) const;

  Shortage shortage_;
  std::uint64_t instructions_ = 0;
  remote::Requests requests_;
  std::chrono::milliseconds host_time_{0};
  bool failed_ = false;  // whether a host did not return
};

// Returns the limits of a call, and the instructions that its kernels may execute, in a shortage.
CallLimits LimitsIn(Shortage shortage, CallLimits limits);
std::uint64_t InstructionsIn(Shortage shortage, std::uint64_t instructions);

}  // namespace warpcheck
