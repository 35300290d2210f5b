// Matchers for how a call went: EXPECT_THAT(CallOnce(), RunsCleanly()).
#pragma once

#include <gmock/gmock.h>

#include <ostream>
#include <string_view>
#include <vector>

#include "trial/case_log.h"
#include "trial/trial.h"

namespace warpcheck {

// A matcher of a Trial that is a list of charges: it matches where the list is empty.
class TrialMatcher {
 public:
  using is_gtest_matcher = void;
  using Judge = std::vector<Charge> (*)(const Trial& trial);

  TrialMatcher(std::string_view claim, Judge judge) : claim_(claim), judge_(judge) {}

  bool MatchAndExplain(const Trial& trial, testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* out) const { *out << claim_; }
  void DescribeNegationTo(std::ostream* out) const { *out << "not: " << claim_; }

 private:
  std::string_view claim_;
  Judge judge_;
};

// It returned, and at least one kernel ran to its end. Where not, the case is skipped: for what has
// to be lost in another test, which asks for the result.
TrialMatcher RanAKernel();

// It returned; no launch was refused or ended by an error, checked or not; nothing was found but
// accesses out of bounds (StaysInBounds' business); inputs are unchanged.
TrialMatcher RunsCleanly();

// The result is the work of kernels: at least one ran, and no output was copied from the host or
// from an input, nor relayed through the host. cudaMemset is allowed.
TrialMatcher LaunchesAKernel();

// No access outside arrays, shared or local memory.
TrialMatcher StaysInBounds();

// Why there is nothing to judge kernels by, where that is lost elsewhere: the call did not return,
// a launch was refused, none was made or ran to its end. One charge of kSkipped, or none.
std::vector<Charge> WhyNotJudged(const Trial& trial);

}  // namespace warpcheck
