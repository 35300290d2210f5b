// Writes GitHub's workflow commands, one a line: an error beside each of the student's lines, and
// the score (docs.github.com, "Workflow commands for GitHub Actions"). They are for the stdout of a
// step, where the submission's own output must not appear.
#include <fmt/format.h>

#include <algorithm>

#include "report/clean_text.h"
#include "report/complaint_groups.h"
#include "report/machine/criterion_text.h"
#include "report/reports.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxAnnotations = 9;  // GitHub shows only ten errors of a step
constexpr std::size_t kMaxAnnotationBytes = 1000;

// Escapes the characters that end a command or begin a new one. In a property, also escapes those
// that end the property.
std::string Escaped(std::string_view text, bool property) {
  std::string escaped;
  for (const char c : CleanText(text, kMaxAnnotationBytes)) {
    const bool special = c == '%' || c == '\n' || c == '\r' || (property && (c == ':' || c == ','));
    escaped += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return escaped;
}

std::string Command(const Attempt& attempt, const SourceLocation& where, std::string_view title,
                    std::string_view message) {
  std::string command = "::error ";
  if (where.known()) {
    command += fmt::format("file={},line={},", Escaped(PathOf(attempt, where), true), where.line);
  }
  return command + fmt::format("title={}::{}\n", Escaped(title, true), Escaped(message, false));
}

}  // namespace

std::string AnnotationsReport(const Grade& grade) {
  const Attempt& attempt = grade.attempt;
  std::string text;
  if (const auto& error = attempt.build.error) {
    text += Command(attempt, error->where, "does not compile", error->message);
  }
  const std::vector<LostPoint> lost = LostPoints(grade);
  for (std::size_t i = 0; i < std::min(lost.size(), kMaxAnnotations); ++i) {
    const Complaint& complaint = *lost[i].group.complaint;
    std::string message = complaint.message;
    if (!complaint.hint.empty()) message += "\nhint: " + complaint.hint;
    text += Command(attempt, complaint.where, lost[i].criterion->name, message);
  }
  return text + fmt::format("::notice title={}::Score {} / {}{}\n", Escaped(grade.title, true),
                            grade.score.Text(), grade.max_score.Text(),
                            grade.score_is_final ? "" : ", not final");
}

}  // namespace warpcheck
