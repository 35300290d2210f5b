#include "trial/case_log.h"

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

}  // namespace

CaseFailure MakeFailure(Verdict verdict, std::string message, std::string hint,
                        SourceLocation where) {
  return {.verdict = verdict,
          .complaint = {
              .message = std::move(message), .where = std::move(where), .hint = std::move(hint)}};
}

CaseLog& CaseLog::Current() {
  static CaseLog case_log;
  return case_log;
}

void CaseLog::Add(CaseFailure failure) { AddOnce(failures_, std::move(failure)); }

std::vector<CaseFailure> CaseLog::Take() { return std::exchange(failures_, {}); }

void CaseLog::AddTarget(CaseResult::Target target) { AddOnce(targets_, std::move(target)); }

std::vector<CaseResult::Target> CaseLog::TakeTargets() { return std::exchange(targets_, {}); }

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
