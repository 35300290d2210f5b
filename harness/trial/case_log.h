// CaseLog collects the failures of the running case. GoogleTest passes on only text. Therefore
// matchers and fixtures put here what a report needs (verdict, line, hint), and the listener
// (checks/failures/case_listener.h) collects it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "results/results.h"

namespace warpcheck {

// A CaseFailure is one reason why a case did not pass. The verdict may also be kSkipped or
// kNotMeasured.
struct CaseFailure {
  Verdict verdict = Verdict::kFailed;
  Complaint complaint;

  friend bool operator==(const CaseFailure&, const CaseFailure&) = default;
};

CaseFailure MakeFailure(ComplaintId id, Verdict verdict, std::string message, std::string hint = {},
                        SourceLocation where = {});

class CaseLog {
 public:
  // Returns the only log of this process.
  static CaseLog& Current();

  // Adds a failure, unless the log contains an equal one.
  void Add(CaseFailure failure);
  // Returns all failures, and clears them.
  std::vector<CaseFailure> Take();
  bool empty() const { return failures_.empty(); }

  // Records that this target judges the running case, whether or not the target is met.
  void AddTarget(CaseResult::Target target);
  std::vector<CaseResult::Target> TakeTargets();
  // Records a comparison with the reference.
  void AddComparison(CaseResult::Comparison comparison);
  std::vector<CaseResult::Comparison> TakeComparisons();
  // Records the speed that the running case, a test of speed, has measured.
  void SetSpeed(SpeedRatio speed) { speed_ = std::move(speed); }
  std::optional<SpeedRatio> TakeSpeed() { return std::exchange(speed_, std::nullopt); }

 private:
  std::vector<CaseFailure> failures_;
  std::vector<CaseResult::Target> targets_;
  std::vector<CaseResult::Comparison> comparisons_;
  std::optional<SpeedRatio> speed_;
};

// This exception ends the running case after a failure has been added. GoogleTest catches it.
class CaseStopped : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Adds the failure and ends the running case.
[[noreturn]] void StopCase(CaseFailure failure);

// Returns the text by which a matcher explains failures, with the line, message and hint of each.
std::string ExplanationOf(const std::vector<CaseFailure>& failures);

// Returns the failures among `all` that a failed part of a test reports. The others belong to
// matchers that failed although their expectation was met: a branch of AnyOf() may fail. The first
// failure gets the text of the checks: EXPECT_THAT(...) << "text". A fault of the harness gets the
// line of the checks. If the part reports no failure of `all`, returns the part's own text as a
// failure with `verdict`.
std::vector<CaseFailure> ReportedIn(const testing::TestPartResult& part,
                                    const std::vector<CaseFailure>& all, Verdict verdict);

// Adds the failures to the case log and to the text of `listener`. Returns true if there are no
// failures.
bool Explain(std::vector<CaseFailure> failures, testing::MatchResultListener* listener);

// Ends this process without a verdict, because of something that the submission did not cause. No
// case of this run counts. The last line on stderr says why, and the exit status is
// kNotGradedStatus (results/results.h).
[[noreturn]] void EndNotGraded(const std::string& why);

// Returns the name of a test in the form of --gtest_filter:
// "Shapes/Transpose.MatchesReference/32x32".
std::string CaseName(const testing::TestInfo& info);

// Returns the name of the running test; empty outside a test.
std::string RunningCase();

}  // namespace warpcheck
