#include "report/witness_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMostTargets = 8;
constexpr std::size_t kMostDifferences = 6;

std::string Rounded(double value) {
  return value < 100 && value != std::floor(value)
             ? fmt::format("{:.3g}", value)
             : Grouped(static_cast<std::uint64_t>(std::llround(value)));
}

// Returns the last part of a case's name: "32x32" of "Shapes/Transpose.MatchesReference/32x32".
std::string ShapeOf(const std::string& case_name) {
  const std::size_t slash = case_name.rfind('/');
  return slash == case_name.npos ? case_name : case_name.substr(slash + 1);
}

std::string FactOf(const CaseResult& result, const CaseResult::Target& target) {
  std::string text =
      fmt::format("{} for {}: {}", target.measure, ShapeOf(result.name), Rounded(*target.value));
  if (target.most) text += fmt::format(", at most {} allowed", Rounded(*target.most));
  return text + (target.met ? ": the target is met" : ": the target is missed");
}

}  // namespace

WitnessText TextOfWitness(const Grade& grade) {
  WitnessText text;
  if (!grade.attempt.witness) return text;
  const Witness& witness = *grade.attempt.witness;
  const ChecksReport& report = witness.report;
  text.title = fmt::format("On {} (no points depend on it)",
                           report.device_name.empty() ? "a GPU" : "the " + report.device_name);
  std::size_t tests = 0, passed = 0;
  for (const CaseResult& result : report.cases) {
    if (!result.targets.empty()) continue;
    ++tests;
    passed += result.verdict == Verdict::kPassed;
  }
  if (tests > 0) {
    text.facts.push_back(
        fmt::format("It passed {} of {} of results.", passed, Counted(tests, "test")));
  }
  std::size_t targets = 0;
  for (const CaseResult& result : report.cases) {
    for (const CaseResult::Target& target : result.targets) {
      if (!target.value || ++targets > kMostTargets) continue;
      text.facts.push_back(FactOf(result, target));
    }
  }
  if (targets > kMostTargets) {
    text.facts.push_back("and " + Counted(targets - kMostTargets, "more target"));
  }
  for (const std::string& why : {witness.uncounted, witness.missing}) {
    if (!why.empty()) text.facts.push_back(why);
  }
  for (const Disagreement& one : witness.disagreements) {
    if (text.differences.size() == kMostDifferences) {
      text.differences.push_back(
          "and " + Counted(witness.disagreements.size() - kMostDifferences, "more difference"));
      break;
    }
    text.differences.push_back(fmt::format(
        "{}\nthe emulator: {}\nthe GPU: {}\n{}", one.case_name, one.on_emulator, one.on_gpu,
        one.why.empty() ? "The reason is not known; it may be a mistake of warpcheck." : one.why));
  }
  return text;
}

std::string WhyNotFinal(const Grade& grade) {
  if (grade.attempt.witness && grade.attempt.witness->contradicts()) {
    return "This is not the final score: the GPU contradicts the emulator, as shown above. Show it "
           "to your instructor: it may be a mistake of warpcheck.";
  }
  if (const Finding* missing = NotOffered(grade.attempt.report)) {
    return fmt::format(
        "This is not the final score: warpcheck does not offer what the program uses ({}). Show it "
        "to your instructor, or write it without that.",
        missing->message);
  }
  return "This is not the final score: something that it needs was not measured, or went wrong in "
         "warpcheck itself.";
}

}  // namespace warpcheck
