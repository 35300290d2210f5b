#include "report/machine/criterion_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/text.h"
#include "report/clean_text.h"
#include "report/complaint_groups.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxGroups = 8;
constexpr std::size_t kMaxShapes = 8;
constexpr std::size_t kMaxMessageBytes = 2000;
constexpr std::size_t kMaxLogBytes = 6000;

std::string TextOf(const Attempt& attempt, const ComplaintGroup& group) {
  const Complaint& complaint = *group.complaint;
  std::string text;
  if (complaint.where.known()) {
    text = fmt::format("{}: {}\n", complaint.where.Text(), SourceLine(attempt, complaint.where));
  }
  text += CleanText(complaint.message, kMaxMessageBytes) + "\n";
  text += "in: " + CaseNames(group, kMaxShapes) + "\n";
  if (!complaint.hint.empty()) text += "hint: " + complaint.hint + "\n";
  return CleanText(text, 2 * kMaxMessageBytes);
}

}  // namespace

std::string CriterionText(const Grade& grade, const CriterionGrade& criterion) {
  if (criterion.verdict == Verdict::kPassed) return {};
  if (const auto& error = grade.attempt.build.error) {
    return "It does not compile:\n" + CleanText(error->log, kMaxLogBytes);
  }
  std::string text;
  if (!criterion.reason.empty()) text = CleanText(criterion.reason, kMaxMessageBytes) + "\n";
  const std::vector<ComplaintGroup> groups = GroupComplaints(criterion);
  for (std::size_t i = 0; i < std::min(groups.size(), kMaxGroups); ++i) {
    if (!text.empty()) text += '\n';
    text += TextOf(grade.attempt, groups[i]);
  }
  if (groups.size() > kMaxGroups) {
    text += fmt::format("\nand {}\n", Counted(groups.size() - kMaxGroups, "more complaint"));
  }
  return text;
}

std::string PathOf(const Attempt& attempt, const SourceLocation& where) {
  namespace fs = std::filesystem;
  const fs::path submission = attempt.submission;
  if (submission.extension() == ".cu") return CleanText(submission.string());
  return CleanText((submission / fs::path(where.file).relative_path()).lexically_normal().string());
}

}  // namespace warpcheck
