// These matchers judge how a call went: EXPECT_THAT(CallOnce(), RunsCleanly()).
#pragma once

#include <gmock/gmock.h>

#include <ostream>
#include <string_view>
#include <vector>

#include "trial/case_log.h"
#include "trial/trial.h"

namespace warpcheck {

// TrialMatcher judges a trial by a function. It matches if the function returns no failure.
class TrialMatcher {
 public:
  using is_gtest_matcher = void;
  using Judge = std::vector<CaseFailure> (*)(const Trial& trial);

  TrialMatcher(std::string_view claim, Judge judge) : claim_(claim), judge_(judge) {}

  bool MatchAndExplain(const Trial& trial, testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* out) const { *out << claim_; }
  void DescribeNegationTo(std::ostream* out) const { *out << "not: " << claim_; }

 private:
  std::string_view claim_;
  Judge judge_;
};

// Matches if the call returned and at least one kernel ran to its end. Otherwise the case is
// skipped: use it if another test, which judges the result, fails for that reason.
TrialMatcher RanAKernel();

// Matches if the call returned, no launch was refused or ended by an error (checked or not), the
// inputs are unchanged, and nothing else was found. Accesses out of bounds are left to
// StaysInBounds.
TrialMatcher RunsCleanly();

// Matches if kernels made the result: at least one ran, and no output was copied from the host or
// from an input, or computed on the host. cudaMemset is allowed.
TrialMatcher LaunchesAKernel();

// Matches if no kernel accesses memory outside arrays, shared or local memory. Like
// LaunchesAKernel(), it matches without a launch if the outputs have no elements.
TrialMatcher StaysInBounds();

// Matches if the call freed all memory that it allocated, and destroyed all streams, events,
// texture objects and surface objects that it made. Use it if the handout forbids to keep them for
// later calls.
TrialMatcher ReleasesEverything();

// Returns the reason if there are no kernels to judge: the call did not return, made no launch, or
// no launch ran to its end. Another test fails for that reason, so the only failure here is
// kSkipped. Returns an empty list if there are kernels to judge.
std::vector<CaseFailure> WhyNotJudged(const Trial& trial);

}  // namespace warpcheck
