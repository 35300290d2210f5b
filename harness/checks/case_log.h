// What the running case is charged with. GoogleTest carries text only; matchers and fixtures leave
// here what a report needs (verdict, line, hint), and the listener collects it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "results/results.h"
#include "results/results_file.h"

namespace warpcheck {

struct Charge {
  Verdict verdict = Verdict::kFailed;
  Complaint complaint;

  friend bool operator==(const Charge&, const Charge&) = default;
};

Charge Charged(Verdict verdict, std::string message, std::string hint = {},
               SourceLocation where = {});

class CaseLog {
 public:
  // That of this process.
  static CaseLog& Current();

  // The same charge twice counts once.
  void Add(Charge charge);
  // Takes all charges away.
  std::vector<Charge> Take();
  bool empty() const { return charges_.empty(); }

  // The running case is judged by this target, whether or not the target is met.
  void AddTarget(CaseResult::Target target);
  std::vector<CaseResult::Target> TakeTargets();

 private:
  std::vector<Charge> charges_;
  std::vector<CaseResult::Target> targets_;
};

// Memory that this process cannot have, anywhere in a case, ends the case: as the submission's
// failure, where the judge is larger than any honest one makes it, else without a verdict
// (EndNotGraded). Sets the handler of operator new.
void WatchMemory();

// Ends the running case after a charge has been added; GoogleTest catches it.
class CaseStopped : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Adds the charge and ends the running case.
[[noreturn]] void StopCase(Charge charge);

// The text of a charge as a matcher explains it: message, line, hint.
std::string ExplanationOf(const std::vector<Charge>& charges);

// Adds the charges to the case log and to the listener's text; true where there are none.
bool Explain(std::vector<Charge> charges, testing::MatchResultListener* listener);

// The end of a checks program that something happened to which is no doing of the submission.

// Ends this process: no verdict is given, on this case or on those before it. The last line on
// stderr says why, and the status is kNotGradedStatus (results/results.h).
[[noreturn]] void EndNotGraded(const std::string& why);

// Writes GoogleTest's events, and what the case log holds, into the results file.

// The running test's name as --gtest_filter takes it: "Shapes/Transpose.MatchesReference/32x32";
// empty outside a test.
std::string RunningCase();

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
