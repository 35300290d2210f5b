#include "batch/outputs.h"

#include <fmt/format.h>

#include "base/files.h"
#include "report/class_page.h"
#include "report/reports.h"
#include "report/student_page.h"

namespace warpcheck::batch {
namespace {

constexpr int kFeedbackWidth = 100;

// A run that was interrupted and one that was not give the same files: how long something took
// stays in the journal.
Grade WithoutTimes(Grade grade, std::int64_t begun) {
  const auto strip = [](std::vector<CaseResult>& cases) {
    for (CaseResult& result : cases) result.seconds = 0;
  };
  grade.attempt.started = begun;
  grade.attempt.build_seconds = grade.attempt.checks_seconds = 0;
  strip(grade.attempt.report.cases);
  strip(grade.information);
  for (CriterionGrade& criterion : grade.criteria) strip(criterion.cases);
  return grade;
}

Result<> Replace(const std::filesystem::path& path, const std::string& bytes) {
  std::error_code error;
  if (std::filesystem::file_size(path, error) == bytes.size() && !error) {
    const auto old = ReadFile(path);
    if (old && *old == bytes) return {};
  }
  return WriteFile(path, bytes);
}

}  // namespace

Result<> Outputs::Prepare() const {
  for (const char* const name : {"junit", "feedback", "json", "students"}) {
    std::error_code error;
    std::filesystem::create_directories(folder_ / name, error);
    if (error) {
      return Fail(fmt::format("cannot make {}: {}", (folder_ / name).string(), error.message()));
    }
  }
  return {};
}

Result<> Outputs::Publish(const Entry& entry, const Grade& graded) {
  const std::string& id = entry.id;
  const Grade grade = WithoutTimes(graded, begun_);
  rows_[id] = RowOf(grade);
  if (auto made = Replace(folder_ / "junit" / (id + ".xml"), JunitReport(grade)); !made) {
    return made;
  }
  const TerminalStyle style{.colours = false, .width = kFeedbackWidth};
  if (auto made = Replace(folder_ / "feedback" / (id + ".txt"), TerminalReport(grade, style));
      !made) {
    return made;
  }
  const StudentHead head{.name = entry.name,
                         .submitted = entry.submitted,
                         .late = entry.late,
                         .class_page = std::string("../") + kClassPage};
  if (auto made = Replace(folder_ / "students" / (id + ".html"), StudentPage(grade, head)); !made) {
    return made;
  }
  return Replace(folder_ / "json" / (id + ".json"), JsonReport(grade));
}

Result<> Outputs::Finish(const JournalState& state,
                         const std::map<std::string, std::string>& digests) const {
  Table table;
  table.rubric = rubric_;
  table.begun = begun_;
  for (const Entry& entry : state.roster.entries) {
    Line& line = table.lines.emplace_back();
    line.entry = entry;
    if (const auto digest = digests.find(entry.id); digest != digests.end()) {
      line.digest = digest->second;
    }
    if (const auto row = rows_.find(entry.id); row != rows_.end()) line.row = row->second;
  }
  table.superseded = state.roster.superseded;
  table.refused = state.roster.refused;
  if (auto made = Replace(folder_ / "grades.csv", GradesCsv(table)); !made) return made;
  if (auto made = Replace(folder_ / "junit.xml", ClassJunit(table)); !made) return made;
  const ClassPage page = PageOf(table);
  for (const auto& [name, order] : {std::pair(kClassPage, ClassOrder::kById),
                                    std::pair(kClassPageByScore, ClassOrder::kByScore)}) {
    if (auto made = Replace(folder_ / name, HtmlClassPage(page, order)); !made) return made;
  }
  return Replace(folder_ / "excluded.txt", ExcludedText(table));
}

}  // namespace warpcheck::batch
