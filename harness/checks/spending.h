// What the calls of a submission have used up of its budget.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checks/call_limits.h"
#include "checks/trial.h"
#include "remote/session.h"

namespace warpcheck {

class Spending {
 public:
  // What calls in turn, with the limits that were set for them, have done. `host_time`: of their
  // host, as far as anybody has looked at it. A call that was stopped at a limit has used all of
  // it, whatever was counted: the same program gets the same verdict.
  void Add(const std::vector<Trial>& trials, const CallLimits& limits,
           const remote::Requests& requests, std::chrono::milliseconds host_time);

  // What there is nothing left of, "20 s of host time"; nothing where a further call may be made.
  std::optional<std::string> Exhausted(const SubmissionBudget& budget) const;

  // What a further call may ask for.
  remote::Requests LeftOf(const SubmissionBudget& budget) const;

 private:
  std::uint64_t instructions_ = 0;
  remote::Requests requests_;
  std::chrono::milliseconds host_time_{0};
};

}  // namespace warpcheck
