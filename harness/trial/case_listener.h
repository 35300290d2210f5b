// Writes GoogleTest's events, and what the case log holds, into the results file.
#pragma once

#include <gtest/gtest.h>

#include "results/results.h"
#include "results/results_file.h"
#include "trial/case_log.h"

namespace warpcheck {

// Memory that this process cannot have, anywhere in a case, ends the case: as the submission's
// failure, where the judge is larger than any honest one makes it, else without a verdict
// (EndNotGraded). Sets the handler of operator new.
void WatchMemory();

class CaseListener : public testing::EmptyTestEventListener {
 public:
  // Both outlive the listener.
  CaseListener(ResultsWriter& results, CaseLog& case_log)
      : results_(results), case_log_(case_log) {}

  void OnTestStart(const testing::TestInfo& info) override;
  // A failure is what the case log holds; without a charge there, a failed expectation is the
  // student's, and anything else (an exception) is a fault of the harness.
  void OnTestPartResult(const testing::TestPartResult& part) override;
  void OnTestEnd(const testing::TestInfo& info) override;

 private:
  ResultsWriter& results_;
  CaseLog& case_log_;
  CaseResult result_;
  bool has_map_ = false;  // a complaint so far: one map is what a report shows
};

}  // namespace warpcheck
