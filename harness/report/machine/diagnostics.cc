// Writes complaints as a compiler prints its errors, one a line, for editors to parse:
// "transpose.cu:16: error: ... [criterion]".
#include <fmt/format.h>

#include "report/clean_text.h"
#include "report/complaint_groups.h"
#include "report/machine/criterion_text.h"
#include "report/reports.h"

namespace warpcheck {
namespace {

std::string Line(const Attempt& attempt, const SourceLocation& where, const std::string& message,
                 const std::string& why) {
  const std::string first = CleanText(message.substr(0, message.find('\n')));
  if (!where.known())
    return fmt::format("{}: error: {} [{}]\n", CleanText(attempt.submission), first, why);
  return fmt::format("{}:{}: error: {} [{}]\n", PathOf(attempt, where), where.line, first, why);
}

}  // namespace

std::string DiagnosticsReport(const Grade& grade) {
  std::string text;
  if (const auto& error = grade.attempt.build.error) {
    text += Line(grade.attempt, error->where, error->message, "it does not compile");
  }
  for (const auto& [criterion, group] : LostPoints(grade)) {
    text += Line(grade.attempt, group.complaint->where, group.complaint->message,
                 CleanText(criterion->name));
  }
  return text;
}

}  // namespace warpcheck
