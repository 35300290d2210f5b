#include "batch/outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tinyxml2.h>

#include <algorithm>

#include "base/files.h"
#include "batch/csv.h"
#include "batch/table.h"
#include "report/class_page.h"
#include "report/reports.h"
#include "report/similarity_page.h"
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

// What counts, where that is not what the report above says.
std::string MarkText(const Mark& mark, Points max) {
  if (mark.remarks.empty()) return "";
  std::string text = "\n";
  for (const std::string& remark : mark.remarks) {
    text += Wrapped(CleanText(remark), kFeedbackWidth, 0, 2);
  }
  return text +
         fmt::format("Mark {} / {}\n", mark.score ? mark.score->Text() : "not final", max.Text());
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

Mark Outputs::MarkOf(const Entry& entry) const {
  const auto row = rows_.find(entry.id);
  const bool is_final = row != rows_.end() && row->second.score_is_final;
  const auto notes = notes_.find(entry.id);
  return batch::MarkOf(entry, is_final ? std::optional(row->second.score) : std::nullopt,
                       rubric_.Total(), rules_,
                       notes == notes_.end() ? std::vector<Note>() : notes->second);
}

Result<> Outputs::Publish(const Entry& entry, const Grade& graded) {
  const std::string& id = entry.id;
  const Grade grade = Weighted(WithoutTimes(graded, begun_), rubric_);
  rows_[id] = RowOf(grade);
  const Mark mark = MarkOf(entry);
  if (auto made = Replace(folder_ / "junit" / (id + ".xml"), JunitReport(grade)); !made) {
    return made;
  }
  const TerminalStyle style{.colours = false, .width = kFeedbackWidth};
  if (auto made = Replace(folder_ / "feedback" / (id + ".txt"),
                          TerminalReport(grade, style) + MarkText(mark, rubric_.Total()));
      !made) {
    return made;
  }
  // Who publishes a student's page publishes nothing of the class.
  StudentHead head{.name = entry.name,
                   .submitted = entry.submitted,
                   .late = entry.late,
                   .mark = mark.score ? mark.score->Text() : "",
                   .remarks = mark.remarks};
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
    line.mark = MarkOf(entry);
    if (const auto digest = digests.find(entry.id); digest != digests.end()) {
      line.digest = digest->second;
    }
    if (const auto row = rows_.find(entry.id); row != rows_.end()) line.row = row->second;
  }
  table.superseded = state.roster.superseded;
  table.refused = state.roster.refused;
  for (const Listed& listed : rules_.roster) {
    const auto is_this = [&](const auto& one) { return IsMeant(listed.id, one); };
    if (std::ranges::none_of(state.roster.entries, is_this) &&
        std::ranges::none_of(table.refused, is_this)) {
      table.missing.push_back(listed);
    }
  }
  if (auto made = Replace(folder_ / "grades.csv", GradesCsv(table)); !made) return made;
  if (auto made = Replace(folder_ / "junit.xml", ClassJunit(table)); !made) return made;
  ClassPage page = PageOf(table);
  page.has_similarity = std::filesystem::exists(folder_ / kSimilarityPage);
  for (const auto& [name, order] : {std::pair(kClassPage, ClassOrder::kById),
                                    std::pair(kClassPageByScore, ClassOrder::kByScore)}) {
    if (auto made = Replace(folder_ / name, HtmlClassPage(page, order)); !made) return made;
  }
  if (auto made = Export(table); !made) return made;
  return Replace(folder_ / "excluded.txt", ExcludedText(table));
}

// The platform's own table, with its columns of scores and comments filled in for whoever is meant
// by a row; all else stays as it was.
Result<> Outputs::Export(const Table& table) const {
  if (!rules_.exported) return {};
  const ExportRule& rule = *rules_.exported;
  auto csv = ReadFile(rule.file).and_then(
      [&](const std::string& text) { return ParseCsv(text, rule.file.string()); });
  if (!csv) return Fail(csv.error());
  const auto column = [&](const std::string& name) -> Result<std::size_t> {
    const int found = csv->Column(name);
    if (found >= 0) return static_cast<std::size_t>(found);
    return Fail(fmt::format("there is no column \"{}\"", name),
                {.file = rule.file.string(), .line = 1},
                fmt::format("[export] names it; the table has: {}", fmt::join(csv->header, ", ")));
  };
  const auto student = column(rule.student);
  if (!student) return Fail(student.error());
  const auto score = column(rule.score);
  if (!score) return Fail(score.error());
  const auto comment = rule.comment.empty() ? score : column(rule.comment);
  if (!comment) return Fail(comment.error());
  for (auto& row : csv->rows) {
    const std::string& cell = row[*student];
    const auto line = std::ranges::find_if(
        table.lines, [&](const Line& one) { return IsMeant(cell, one.entry); });
    if (line != table.lines.end()) {
      if (line->mark.score) row[*score] = line->mark.score->Text();
      if (!rule.comment.empty()) row[*comment] = Harmless(line->mark.Remarks());
    } else if (std::ranges::any_of(table.missing,
                                   [&](const Listed& one) { return one.id == cell; })) {
      row[*score] = "0";
    }
  }
  return Replace(folder_ / "export.csv", CsvText(*csv));
}

Result<> Rebuild(const Journal& journal, const Rubric& rubric,
                 const std::filesystem::path& folder) {
  const JournalState& state = journal.state();
  Outputs outputs(folder, rubric, state);
  if (auto made = outputs.Prepare(); !made) return made;
  std::map<std::string, std::string> digests;
  for (const Entry& entry : state.roster.entries) {
    const auto graded = state.graded.find(entry.id);
    if (graded == state.graded.end()) continue;
    digests[entry.id] = graded->second.digest;
    const auto grade = journal.GradeOf(entry.id);
    if (!grade) return Fail(grade.error());
    if (auto made = outputs.Publish(entry, *grade); !made) return made;
  }
  return outputs.Finish(state, digests);
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
    if (line.mark.score) add("score", line.mark.score->Text());
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
