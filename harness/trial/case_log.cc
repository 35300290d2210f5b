#include "trial/case_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

namespace warpcheck {
namespace {

template <class T>
void AddOnce(std::vector<T>& all, T one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(std::move(one));
}

// Returns what the checks have added to the text of a failed expectation, which ends with one of
// these failures; empty if there is nothing.
std::string_view AddedText(std::string_view text, const std::vector<CaseFailure>& failures) {
  std::size_t end = 0;
  for (const CaseFailure& failure : failures) {
    const std::string explanation = ExplanationOf({failure});
    const std::size_t at = text.rfind(explanation);
    if (at != std::string_view::npos) end = std::max(end, at + explanation.size());
  }
  text.remove_prefix(end);
  return end != 0 && text.starts_with('\n') ? text.substr(1) : std::string_view();
}

// Removes types of the harness from a text of GoogleTest: students do not know them.
std::string WithoutTypes(std::string text) {
  constexpr std::string_view kType = " (of type warpcheck::";
  for (std::size_t at = text.find(kType); at != std::string::npos; at = text.find(kType, at)) {
    const std::size_t end = text.find(')', at);
    if (end == std::string::npos) break;
    text.erase(at, end + 1 - at);
  }
  return text;
}

// Returns the text without the word with which GoogleTest begins that of ADD_FAILURE().
std::string_view WithoutFailed(std::string_view text) {
  constexpr std::string_view kFailed = "Failed\n";
  return text.starts_with(kFailed) ? text.substr(kFailed.size()) : text;
}

std::string LineOf(const testing::TestPartResult& part) {
  const std::string_view file = part.file_name();
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), part.line_number());
}

}  // namespace

CaseFailure MakeFailure(ComplaintId id, Verdict verdict, std::string message, std::string hint,
                        SourceLocation where) {
  return {.verdict = verdict,
          .complaint = {.message = std::move(message),
                        .where = std::move(where),
                        .hint = std::move(hint),
                        .kind = id.kind,
                        .about = std::move(id.about)}};
}

CaseLog& CaseLog::Current() {
  static CaseLog case_log;
  return case_log;
}

void CaseLog::Add(CaseFailure failure) { AddOnce(failures_, std::move(failure)); }

std::vector<CaseFailure> CaseLog::Take() { return std::exchange(failures_, {}); }

void CaseLog::AddTarget(CaseResult::Target target) { AddOnce(targets_, std::move(target)); }

std::vector<CaseResult::Target> CaseLog::TakeTargets() { return std::exchange(targets_, {}); }

void CaseLog::AddComparison(CaseResult::Comparison comparison) {
  AddOnce(comparisons_, std::move(comparison));
}

std::vector<CaseResult::Comparison> CaseLog::TakeComparisons() {
  return std::exchange(comparisons_, {});
}

void StopCase(CaseFailure failure) {
  const std::string message = failure.complaint.message;
  CaseLog::Current().Add(std::move(failure));
  throw CaseStopped(message);
}

std::string ExplanationOf(const std::vector<CaseFailure>& failures) {
  std::string text;
  for (const auto& [verdict, complaint] : failures) {
    if (!text.empty()) text += '\n';
    if (complaint.where.known()) text += complaint.where.Text() + ": ";
    text += complaint.message;
    if (!complaint.hint.empty()) text += "\n  hint: " + complaint.hint;
  }
  return text;
}

std::vector<CaseFailure> ReportedIn(const testing::TestPartResult& part,
                                    const std::vector<CaseFailure>& all, Verdict verdict) {
  const std::string_view text = part.message();
  std::vector<CaseFailure> reported;
  for (const CaseFailure& failure : all) {
    if (text.find(failure.complaint.message) != std::string_view::npos) reported.push_back(failure);
  }
  if (reported.empty()) {
    // The place in the checks tells apart what their authors say.
    const std::string place = part.file_name() == nullptr ? std::string() : LineOf(part);
    return {MakeFailure({ComplaintKind::kCheck, place}, verdict,
                        WithoutTypes(std::string(WithoutFailed(part.message()))))};
  }
  const std::string added(AddedText(text, reported));
  for (CaseFailure& failure : reported) {
    if (failure.verdict != Verdict::kHarnessFault || part.file_name() == nullptr) continue;
    failure.complaint.message = LineOf(part) + ": " + failure.complaint.message;
  }
  if (!added.empty()) reported.front().complaint.message += "\n  " + added;
  return reported;
}

bool Explain(std::vector<CaseFailure> failures, testing::MatchResultListener* listener) {
  if (failures.empty()) return true;
  if (!listener->IsInterested()) return false;
  *listener << ExplanationOf(failures);
  for (CaseFailure& failure : failures) CaseLog::Current().Add(std::move(failure));
  return false;
}

// Processes that this process has started end too, because the other end of their socket closes.
void EndNotGraded(const std::string& why) {
  std::fflush(nullptr);
  std::fprintf(stderr, "\n%s\n", why.c_str());
  std::_Exit(kNotGradedStatus);
}

std::string CaseName(const testing::TestInfo& info) {
  return std::string(info.test_suite_name()) + "." + info.name();
}

std::string RunningCase() {
  const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
  return info == nullptr ? std::string() : CaseName(*info);
}

}  // namespace warpcheck
