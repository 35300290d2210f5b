// Writes the events of GoogleTest, and the contents of the case log, to the results file.
#pragma once

#include <gtest/gtest.h>

#include "results/results.h"
#include "results/results_file.h"
#include "trial/case_log.h"

namespace warpcheck {

// Sets a handler of operator new, so that a case in which memory runs out ends in an orderly way.
// The submission fails if this process is larger than any honest submission makes it. Otherwise the
// machine is short of memory, and the process ends without a verdict (EndNotGraded).
void WatchMemory();

class CaseListener : public testing::EmptyTestEventListener {
 public:
  // Both arguments must outlive the listener.
  CaseListener(ResultsWriter& results, CaseLog& case_log)
      : results_(results), case_log_(case_log) {}

  void OnTestStart(const testing::TestInfo& info) override;
  // Takes the failures from the case log. If the log is empty, a failed expectation counts as the
  // student's failure, and any other event (an exception) as a fault of the harness.
  void OnTestPartResult(const testing::TestPartResult& part) override;
  void OnTestEnd(const testing::TestInfo& info) override;

 private:
  ResultsWriter& results_;
  CaseLog& case_log_;
  CaseResult result_;
  // True if a complaint already has a map, because reports show only the first map.
  bool has_map_ = false;
};

}  // namespace warpcheck
