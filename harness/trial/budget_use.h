// What the calls of a submission have used up of its budget.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "remote/session.h"
#include "trial/devices/call_limits.h"
#include "trial/trial.h"

namespace warpcheck {

// What the calls of a submission have used up of its budget: shares of each of its parts, which may
// be one together. So it is one budget, whatever it is used for.
class BudgetUse {
 public:
  // What calls in turn, with the limits that were set for them, have done. `host_time`: of their
  // host, as far as anybody has looked at it. A call that was stopped at a limit has used all of
  // it, whatever was counted: the same program gets the same verdict.
  void Add(const std::vector<Trial>& trials, const CallLimits& limits,
           const remote::Requests& requests, std::chrono::milliseconds host_time);

  // What it was used up by, "12,000,000 bytes moved (40 %) and 12.0 s on the host, waiting included
  // (60 %)"; nothing where a further call may be made.
  std::optional<std::string> Exhausted(const SubmissionBudget& budget) const;

  // What a further call may ask for.
  remote::Requests Remaining(const SubmissionBudget& budget) const;

 private:
  double ShareOf(const SubmissionBudget& budget) const;

  std::uint64_t instructions_ = 0;
  remote::Requests requests_;
  std::chrono::milliseconds host_time_{0};
};

}  // namespace warpcheck
