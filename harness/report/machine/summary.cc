// Writes GitHub's step summary, for the file that GITHUB_STEP_SUMMARY names. It is Markdown that
// consists of HTML: inside of an element without empty lines, no text of a submission is read as
// Markdown (CommonMark 0.31, 4.6).
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "report/complaint_groups.h"
#include "report/grade_json.h"
#include "report/html/html_text.h"
#include "report/html/page_template.h"
#include "report/machine/criterion_text.h"
#include "report/reports.h"

namespace warpcheck {
namespace {

// Returns the data of {{> lines}}: the lines of a text, which become one line of the file, because
// an empty line would end the element. Returns null if the text is empty.
PageModel LinesModel(std::string_view text) {
  constexpr std::size_t kMaxBytes = 8192;
  PageModel model;
  const std::string shown = Shortened(text, kMaxBytes);
  if (shown.empty()) return model;
  for (std::size_t begin = 0, end = 0; end < shown.size(); begin = end + 1) {
    end = std::min(shown.find('\n', begin), shown.size());
    std::string line = shown.substr(begin, end - begin);
    if (end < shown.size() && line.ends_with('\r')) line.pop_back();
    model["lines"].push_back({{"text", std::move(line)}, {"is_first", begin == 0}});
  }
  return model;
}

PageModel ItemModel(const Attempt& attempt, const SourceLocation& where, const std::string& message,
                    const std::string& hint) {
  PageModel place;
  if (where.known()) {
    place = {{"path", LinesModel(PathOf(attempt, where))}, {"line", where.line}};
  }
  return {{"place", place}, {"message", LinesModel(message)}, {"hint", LinesModel(hint)}};
}

}  // namespace

std::string SummaryReport(const Grade& grade) {
  const Attempt& attempt = grade.attempt;
  PageModel model = GradeJson(grade);
  model["title"] = LinesModel(grade.title);
  model["exactness"] = LinesModel(model["exactness"].get_ref<const std::string&>());
  model["graded_with"] = LinesModel(GradedWith(attempt));
  for (PageModel& criterion : model["criteria"]) {
    criterion["name"] = LinesModel(criterion["name"].get_ref<const std::string&>());
  }
  PageModel& complaints = model["complaints"];
  if (const auto& error = attempt.build.error) {
    complaints["items"].push_back(
        ItemModel(attempt, error->where, "does not compile: " + error->message, ""));
  }
  for (const LostPoint& lost : LostPoints(grade)) {
    const Complaint& complaint = *lost.group.complaint;
    complaints["items"].push_back(
        ItemModel(attempt, complaint.where, complaint.message, complaint.hint));
  }
  return Rendered("summary", model);
}

}  // namespace warpcheck
