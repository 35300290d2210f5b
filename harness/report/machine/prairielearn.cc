// Writes PrairieLearn's results.json, with one test for each criterion
// (docs.prairielearn.com, "External grading"). A submission that does not compile is not gradable,
// and costs the student no attempt. Neither does one whose score is not final, because that is
// never the student's mistake. The score has the points of hidden criteria; the tests do not name
// them. The file may have 1 MB.
#include <fmt/format.h>
#include <nettle/base64.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/json/record.h"
#include "grading/student_view.h"
#include "report/clean_text.h"
#include "report/html/access_figure.h"
#include "report/machine/criterion_text.h"
#include "report/machine/text_budget.h"
#include "report/reports.h"
#include "report/wording.h"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

// The bytes of all texts and of all pictures. Together with the fields they stay below 1 MB.
constexpr std::size_t kResultTexts = 300'000;
constexpr std::size_t kResultPictures = 500'000;
constexpr std::size_t kResultName = 256;
constexpr std::size_t kResultTests = 500;

std::string Base64(const std::string& bytes) {
  std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return text;
}

// Returns the pictures of the criterion's complaints, one for each line of the source.
json Pictures(const CriterionGrade& criterion, TextBudget& budget) {
  json pictures = json::array();
  std::vector<SourceLocation> drawn;
  for (const CaseResult& result : criterion.cases) {
    for (const Complaint& complaint : result.complaints) {
      if (!complaint.access || std::ranges::find(drawn, complaint.where) != drawn.end()) continue;
      const PageModel model = AccessFigureModel(*complaint.access);
      if (model.is_null()) continue;
      drawn.push_back(complaint.where);
      std::string url =
          "data:image/svg+xml;base64," + Base64(Rendered("access_picture.svg", model));
      const std::string label =
          CleanText(complaint.where.known() ? complaint.where.Text() + ": " : "", kResultName) +
          model["what"].get<std::string>();
      if (!budget.Take(url.size() + 2 * label.size())) return pictures;
      pictures.push_back({{"label", label}, {"url", std::move(url)}});
    }
  }
  return pictures;
}

json NotGradable(const Grade& grade) {
  const Attempt& attempt = grade.attempt;
  TextBudget texts(kResultTexts);
  std::string why;
  if (const auto& error = attempt.build.error) {
    why = "It does not compile:\n" + (error->log.empty() ? error->message : error->log);
  } else {
    why =
        "It was not graded, and this is not your mistake: something was not measured, or went "
        "wrong in the grader. It costs no attempt. Tell the staff of your course.";
  }
  why = texts.Within(why);
  return {{"gradable", false}, {"message", why}, {"format_errors", json::array({why})}};
}

}  // namespace

std::string PrairielearnReport(const Grade& grade) {
  const Attempt& attempt = grade.attempt;
  if (attempt.build.error || !grade.score_is_final) {
    return JsonText(NotGradable(grade), 2) + "\n";
  }
  TextBudget texts(kResultTexts);
  TextBudget space(kResultPictures);
  json tests = json::array();
  const Grade shown = StudentView(grade);
  for (const CriterionGrade& criterion : shown.criteria) {
    if (tests.size() == kResultTests) break;
    json test = {{"name", CleanText(criterion.name, kResultName)},
                 {"points", Number(criterion.points)},
                 {"max_points", Number(criterion.max_points)},
                 {"output", texts.Within(CriterionText(grade, criterion))}};
    json pictures = Pictures(criterion, space);
    if (!pictures.empty()) test["images"] = std::move(pictures);
    tests.push_back(std::move(test));
  }
  const auto max = static_cast<double>(grade.max_score.hundredths());
  const double share = max > 0 ? static_cast<double>(grade.score.hundredths()) / max : 0;
  const std::string& device = attempt.report.device_name;
  const json report = {
      {"gradable", true},
      {"score", std::clamp(share, 0.0, 1.0)},
      {"message", fmt::format("{}: {} of {} points", CleanText(grade.title, kResultName),
                              shown.score.Text(), shown.max_score.Text())},
      {"output", CleanText(GradedWith(attempt), kResultName) + "\n" +
                     CleanText(device.empty() ? attempt.device : device, kResultName)},
      {"tests", std::move(tests)}};
  return JsonText(report, 2) + "\n";
}

}  // namespace warpcheck
