// Writes GoogleTest's events, and what the docket holds, into the results file.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "checks/docket.h"
#include "results/results_file.h"

namespace warpcheck {

// The running test's name as --gtest_filter takes it: "Shapes/Transpose.MatchesReference/32x32";
// empty outside a test.
std::string RunningCase();

class CaseListener : public testing::EmptyTestEventListener {
 public:
  // Both outlive the listener.
  CaseListener(ResultsWriter& results, Docket& docket) : results_(results), docket_(docket) {}

  void OnTestStart(const testing::TestInfo& info) override;
  // A failure is what the docket holds; without a charge there, a failed expectation is the
  // student's, and anything else (an exception) is a fault of the harness.
  void OnTestPartResult(const testing::TestPartResult& part) override;
  void OnTestEnd(const testing::TestInfo& info) override;

 private:
  ResultsWriter& results_;
  Docket& docket_;
  CaseResult result_;
};

}  // namespace warpcheck
