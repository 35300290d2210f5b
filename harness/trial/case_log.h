// What the running case is charged with. GoogleTest carries text only; matchers and fixtures leave
// here what a report needs (verdict, line, hint), and the listener collects it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "results/results.h"

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

// Ends this process: no verdict is given, on this case or on those before it. The last line on
// stderr says why, and the status is kNotGradedStatus (results/results.h).
[[noreturn]] void EndNotGraded(const std::string& why);

// The name of a test, "Shapes/Transpose.MatchesReference/32x32".
std::string CaseName(const testing::TestInfo& info);

// The running test's name as --gtest_filter takes it: "Shapes/Transpose.MatchesReference/32x32";
// empty outside a test.
std::string RunningCase();

}  // namespace warpcheck
