#include "batch/outputs.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include "base/files.h"
#include "batch/table.h"
#include "report/class_page.h"
#include "report/reports.h"
#include "report/student_page.h"
#include "report/text.h"

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
  for (const char* const name : {"junit", "feedback", "json", "class", "students"}) {
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
  // Who publishes a student's page publishes nothing of the class.
  StudentHead head{.name = entry.name, .submitted = entry.submitted, .late = entry.late};
  if (auto made = Replace(folder_ / "students" / (id + ".html"), StudentPage(grade, head)); !made) {
    return made;
  }
  head.class_page = std::string("../") + kClassPage;
  if (auto made = Replace(folder_ / "class" / (id + ".html"), StudentPage(grade, head)); !made) {
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

namespace {

constexpr std::size_t kMaxTexts = std::size_t{8} << 20;  // of the file, escaped
constexpr std::size_t kMaxName = 256;

enum class Outcome { kPassed, kFailure, kError, kSkipped };

Outcome OutcomeOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed:
      return Outcome::kPassed;
    case Verdict::kFailed:
      return Outcome::kFailure;
    case Verdict::kSkipped:
    case Verdict::kNotMeasured:
      return Outcome::kSkipped;
    case Verdict::kError:
    case Verdict::kInvalidReference:
    case Verdict::kHarnessFault:
      break;
  }
  return Outcome::kError;
}

struct Tally {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;

  void Add(Outcome outcome) {
    ++tests;
    failures += outcome == Outcome::kFailure ? 1 : 0;
    errors += outcome == Outcome::kError ? 1 : 0;
    skipped += outcome == Outcome::kSkipped ? 1 : 0;
  }
};

// A student without a grade has one case, which says so.
std::vector<CriterionCell> CellsOf(const Line& line, const Rubric& rubric) {
  if (line.row) return line.row->criteria;
  CriterionCell cell;
  cell.says = "not graded yet";
  return std::vector<CriterionCell>(rubric.criteria.size(), cell);
}

class Writer {
 public:
  explicit Writer(const Table& table) : table_(table) {}

  std::string Write() {
    xml_.PushHeader(false, true);
    xml_.OpenElement("testsuites");
    Attribute("name", Neutral(table_.rubric.title, kMaxName));
    Tally all;
    for (const Line& line : table_.lines) {
      for (const CriterionCell& cell : CellsOf(line, table_.rubric))
        all.Add(OutcomeOf(cell.verdict));
    }
    AddCounts(all);
    for (const Line& line : table_.lines) AddSuite(line);
    xml_.CloseElement();
    return {xml_.CStr(), static_cast<std::size_t>(xml_.CStrSize() - 1)};
  }

 private:
  void Attribute(const char* name, const std::string& value) {
    xml_.PushAttribute(name, value.c_str());
  }

  void AddCounts(const Tally& tally) {
    Attribute("tests", std::to_string(tally.tests));
    Attribute("failures", std::to_string(tally.failures));
    Attribute("errors", std::to_string(tally.errors));
  }

  void AddSuite(const Line& line) {
    const std::vector<CriterionCell> cells = CellsOf(line, table_.rubric);
    Tally tally;
    for (const CriterionCell& cell : cells) tally.Add(OutcomeOf(cell.verdict));
    xml_.OpenElement("testsuite");
    Attribute("name", line.entry.id);
    AddCounts(tally);
    Attribute("skipped", std::to_string(tally.skipped));
    Attribute("timestamp", JunitTimestamp(table_.begun));
    Attribute("hostname", "localhost");
    AddProperties(line);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      AddCase(line.entry.id, table_.rubric.criteria[i], cells[i]);
    }
    xml_.CloseElement();
  }

  void AddProperties(const Line& line) {
    xml_.OpenElement("properties");
    const auto add = [this](const char* name, const std::string& value) {
      xml_.OpenElement("property");
      Attribute("name", name);
      Attribute("value", value);
      xml_.CloseElement();
    };
    if (!line.entry.name.empty()) add("student", Neutral(line.entry.name, kMaxName));
    if (line.row && line.row->score_is_final) add("score", line.row->score.Text());
    add("max_score", table_.rubric.Total().Text());
    if (line.row) add("verdict", std::string(Name(line.row->verdict)));
    xml_.CloseElement();
  }

  void AddCase(const std::string& id, const Criterion& criterion, const CriterionCell& cell) {
    xml_.OpenElement("testcase");
    Attribute("classname", id);
    Attribute("name", Neutral(criterion.name, kMaxName));
    const Outcome outcome = OutcomeOf(cell.verdict);
    if (outcome != Outcome::kPassed) {
      const std::string verdict(Name(cell.verdict));
      const std::string says = WithinBudget(cell.says);
      const std::string& text = says.empty() ? verdict : says;
      xml_.OpenElement(outcome == Outcome::kFailure ? "failure"
                       : outcome == Outcome::kError ? "error"
                                                    : "skipped");
      Attribute("message", text);
      Attribute("type", verdict);
      xml_.PushText((text + PlaceForJunit(cell.where, id)).c_str());
      xml_.CloseElement();
    }
    xml_.CloseElement();
  }

  std::string WithinBudget(const std::string& text) {
    std::string clean = used_ < kMaxTexts ? Neutral(text) : "";
    used_ += 2 * EscapedSize(clean);
    return clean;
  }

  const Table& table_;
  tinyxml2::XMLPrinter xml_;
  std::size_t used_ = 0;
};

}  // namespace

std::string ClassJunit(const Table& table) { return Writer(table).Write(); }

}  // namespace warpcheck::batch
