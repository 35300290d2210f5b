// GitHub's step summary: Markdown, of which this is the part that is HTML. Within an element and
// without empty lines, nothing that a submission says is read as Markdown (CommonMark 0.31, 4.6).
#include <fmt/format.h>

#include "report/complaint_groups.h"
#include "report/html_text.h"
#include "report/reports.h"
#include "report/text.h"

namespace warpcheck {
namespace {

// On one line of the file: an empty one would end the element.
std::string InLine(std::string_view text) {
  std::string line;
  for (const char c : HtmlText(text)) {
    if (c == '\n') {
      line += "<br>";
    } else {
      line += c;
    }
  }
  return line;
}

std::string Item(const Attempt& attempt, const SourceLocation& where, const std::string& message,
                 const std::string& hint) {
  std::string item = "<li>";
  if (where.known()) {
    item += fmt::format("<code>{}:{}</code> ", InLine(PathOf(attempt, where)), where.line);
  }
  item += InLine(message);
  if (!hint.empty()) item += "<br>hint: " + InLine(hint);
  return item + "</li>\n";
}

}  // namespace

std::string SummaryReport(const Grade& grade) {
  const Attempt& attempt = grade.attempt;
  std::string text =
      fmt::format("<h3>{}: {} / {}{}</h3>\n<table>\n<tr><th>points</th><th>criterion</th></tr>\n",
                  InLine(grade.title), grade.score.Text(), grade.max_score.Text(),
                  grade.score_is_final ? "" : ", not final");
  for (const CriterionGrade& criterion : grade.criteria) {
    text += fmt::format("<tr><td>{} / {}</td><td>{}</td></tr>\n", criterion.points.Text(),
                        criterion.max_points.Text(), InLine(criterion.name));
  }
  text += "</table>\n";
  std::string items;
  if (const auto& error = attempt.build.error) {
    items += Item(attempt, error->where, "does not compile: " + error->message, "");
  }
  for (const LostPoint& lost : LostPoints(grade)) {
    const Complaint& complaint = *lost.group.complaint;
    items += Item(attempt, complaint.where, complaint.message, complaint.hint);
  }
  if (!items.empty()) text += "<ul>\n" + items + "</ul>\n";
  return text + fmt::format("<p>{}</p>\n", InLine(GradedWith(attempt)));
}

}  // namespace warpcheck
