#include "batch/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/files.h"
#include "batch/csv.h"
#include "report/text.h"

namespace warpcheck::batch {

namespace {

constexpr std::size_t kMaxSays = 300;

std::string OnOneLine(const std::string& text) {
  std::string line = CleanText(text);
  for (char& c : line) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return line;
}

std::string FirstLine(const std::string& text) {
  return CleanText(text.substr(0, text.find('\n')), kMaxSays);
}

std::string At(const SourceLocation& where, const std::string& message) {
  return FirstLine(where.known() ? where.Text() + ": " + message : message);
}

// What cost the criterion its points; nullptr where its reason says it.
const Complaint* FirstComplaint(const CriterionGrade& criterion) {
  if (!criterion.reason.empty()) return nullptr;
  for (const CaseResult& result : criterion.cases) {
    if (result.verdict == criterion.verdict && !result.complaints.empty()) {
      return &result.complaints.front();
    }
  }
  return nullptr;
}

std::string NoteOf(const Grade& grade, const Row& row) {
  if (const auto& error = grade.attempt.build.error) return At(error->where, error->message);
  if (grade.score_is_final) return "";
  for (std::size_t i = 0; i < grade.criteria.size(); ++i) {
    if (!IsUndecided(grade.criteria[i].verdict)) continue;
    return fmt::format("not final: {}: {}", CleanText(grade.criteria[i].name, kMaxSays),
                       SaysWhere(row.criteria[i]));
  }
  return "not final";
}

}  // namespace

Row RowOf(const Grade& grade) {
  Row row;
  row.score = grade.score;
  row.max_score = grade.max_score;
  row.verdict = grade.verdict;
  row.score_is_final = grade.score_is_final;
  for (const CriterionGrade& criterion : grade.criteria) {
    CriterionCell& cell = row.criteria.emplace_back();
    cell.points = criterion.points;
    cell.verdict = criterion.verdict;
    if (criterion.verdict == Verdict::kPassed) continue;
    const Complaint* complaint = FirstComplaint(criterion);
    cell.says = FirstLine(complaint != nullptr ? complaint->message : criterion.reason);
    if (complaint != nullptr) cell.where = complaint->where;
  }
  row.note = NoteOf(grade, row);
  return row;
}

std::string SaysWhere(const CriterionCell& cell) { return At(cell.where, cell.says); }

std::string Harmless(const std::string& text) {
  std::string words = OnOneLine(text);
  const std::size_t first = words.find_first_not_of(' ');
  if (first != std::string::npos &&
      std::string_view("=+-@").find(words[first]) != std::string::npos) {
    words.insert(0, "'");
  }
  return words;
}

namespace {

std::string Percent(Points score, Points max) {
  // Rounded down: nobody has 100 who lacks a point.
  return Points::FromHundredths(score.hundredths() * 10'000 / max.hundredths()).Text();
}

}  // namespace

std::string GradesCsv(const Table& table) {
  const Points max = table.rubric.Total();
  const std::size_t criteria = table.rubric.criteria.size();
  CsvTable csv;
  csv.header = {"id", "name", "score", "max", "percent", "verdict"};
  for (const Criterion& criterion : table.rubric.criteria) {
    csv.header.push_back(Harmless(criterion.name));
  }
  csv.header.insert(csv.header.end(),
                    {"late", "submitted", "digest", "note", "section", "taken", "remarks"});
  // `what`: late, submitted, digest, note.
  const auto add = [&](const std::string& id, const std::string& name, const Mark& mark,
                       std::string_view verdict, std::vector<std::string> points,
                       const std::array<std::string, 4>& what) {
    points.resize(criteria);
    std::vector<std::string>& row = csv.rows.emplace_back();
    row = {id,
           Harmless(name),
           mark.score ? mark.score->Text() : "",
           max.Text(),
           mark.score && max != Points() ? Percent(*mark.score, max) : "",
           std::string(verdict)};
    row.insert(row.end(), points.begin(), points.end());
    for (const std::string& cell : what) row.push_back(Harmless(cell));
    row.push_back(Harmless(mark.section));
    row.push_back(mark.taken == Points() ? "" : mark.taken.Text());
    row.push_back(Harmless(mark.Remarks()));
  };
  std::set<std::string> named;
  for (const Line& line : table.lines) {
    const Entry& entry = line.entry;
    named.insert(entry.id);
    std::vector<std::string> points;
    if (line.row) {
      for (const CriterionCell& cell : line.row->criteria) points.push_back(cell.points.Text());
    }
    add(entry.id, entry.name, line.mark, line.row ? Name(line.row->verdict) : "not_graded",
        std::move(points),
        {line.mark.late ? "late" : "", entry.submitted, line.digest.substr(0, 16),
         line.row ? line.row->note : "not graded yet"});
  }
  for (const Excluded& one : table.refused) {
    if (one.id.empty() || !named.insert(one.id).second) continue;
    add(one.id, one.name, {}, "refused", {}, {"", "", "", one.reason});
  }
  for (const Listed& one : table.missing) {
    add(one.id, one.name, {.score = Points(), .taken = {}, .late = false, .section = one.section},
        "missing", {}, {"", "", "", "handed in nothing"});
  }
  return CsvText(csv);
}

namespace {

void Add(std::string& text, std::string_view title, const std::vector<Excluded>& excluded) {
  if (excluded.empty()) return;
  text += fmt::format("{}\n", title);
  for (const Excluded& one : excluded) {
    text += fmt::format("  {}: {}\n", OnOneLine(one.what), OnOneLine(one.reason));
  }
  text += '\n';
}

std::string GroupsText(const std::vector<std::vector<std::string>>& groups) {
  std::string text;
  for (const auto& group : groups) text += fmt::format("  {}\n", fmt::join(group, " "));
  return text;
}

}  // namespace

std::vector<std::vector<std::string>> SameFiles(const Table& table) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const Line& line : table.lines) {
    if (!line.digest.empty()) groups[line.digest].push_back(line.entry.id);
  }
  std::vector<std::vector<std::string>> same;
  for (const Line& line : table.lines) {
    const auto group = groups.find(line.digest);
    if (group == groups.end() || group->second.size() < 2) continue;
    same.push_back(std::move(group->second));
    groups.erase(group);
  }
  return same;
}

std::string ExcludedText(const Table& table) {
  std::string text;
  Add(text, "Not graded; a person has to look:", table.refused);
  Add(text, "Not graded, because a newer one is:", table.superseded);
  if (!table.missing.empty()) {
    text += "In the course's roster, and handed in nothing:\n";
    for (const Listed& one : table.missing) {
      text += fmt::format("  {} {}\n", OnOneLine(one.id), OnOneLine(one.name));
    }
    text += '\n';
  }
  if (const std::string same = GroupsText(SameFiles(table)); !same.empty()) {
    text +=
        "The same files, graded once (a hint, not a verdict: a template that nobody changed "
        "counts too):\n" +
        same;
  }
  return text.empty() ? "Nothing was left out, and no two submissions are the same.\n" : text;
}

namespace {

ClassPage::Row RowOf(const Line& line) {
  ClassPage::Row row;
  row.id = line.entry.id;
  row.name = line.entry.name;
  row.submitted = line.entry.submitted;
  row.late = line.mark.late;
  row.note = line.mark.Remarks();
  row.section = line.mark.section;
  row.score_is_final = line.mark.score.has_value();
  row.score = line.mark.score.value_or(line.row ? line.row->score : Points());
  if (!line.row) return row;
  row.state = ClassPage::Row::State::kGraded;
  row.verdict = line.row->verdict;
  if (!line.row->note.empty()) {
    row.note = row.note.empty() ? line.row->note : line.row->note + "; " + row.note;
  }
  row.cells = line.row->criteria;
  return row;
}

// Who has a row in grades.csv has one here.
void AddUngraded(const Table& table, ClassPage& page) {
  std::set<std::string> named;
  for (const ClassPage::Row& row : page.rows) named.insert(row.id);
  for (const Excluded& one : table.refused) {
    if (one.id.empty() || !named.insert(one.id).second) continue;
    ClassPage::Row& row = page.rows.emplace_back();
    row.id = one.id;
    row.name = one.name;
    row.state = ClassPage::Row::State::kRefused;
    row.note = one.reason;
  }
  for (const Listed& one : table.missing) {
    ClassPage::Row& row = page.rows.emplace_back();
    row.id = one.id;
    row.name = one.name;
    row.section = one.section;
    row.state = ClassPage::Row::State::kMissing;
    row.score_is_final = true;
    row.note = "handed in nothing";
  }
  std::ranges::stable_sort(page.rows, {}, &ClassPage::Row::id);
}

std::vector<ClassPage::Aside> Asides(const std::vector<Excluded>& excluded) {
  std::vector<ClassPage::Aside> asides;
  for (const Excluded& one : excluded) asides.push_back({.what = one.what, .reason = one.reason});
  return asides;
}

}  // namespace

ClassPage PageOf(const Table& table) {
  ClassPage page;
  page.title = table.rubric.title;
  page.begun = table.begun;
  page.max_score = table.rubric.Total();
  for (const Criterion& criterion : table.rubric.criteria) {
    page.criteria.push_back({.name = criterion.name, .points = criterion.points});
  }
  page.links = {{"grades.csv", "grades.csv"}};
  if (table.exported) page.links.push_back({"export.csv", "export.csv"});
  page.links.push_back({"excluded.txt", "excluded.txt"});
  for (const Line& line : table.lines) page.rows.push_back(RowOf(line));
  AddUngraded(table, page);
  page.superseded = Asides(table.superseded);
  page.refused = Asides(table.refused);
  page.identical = SameFiles(table);
  return page;
}

// A platform's own table with a class's scores (table.h).

Result<std::string> FilledIn(const ExportRule& rule, const Table& table) {
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
  const auto student = WARPCHECK_TRY(column(rule.student));
  const auto score = WARPCHECK_TRY(column(rule.score));
  const auto comment = rule.comment.empty() ? score : WARPCHECK_TRY(column(rule.comment));
  RowFinder finder;
  for (std::size_t i = 0; i < csv->rows.size(); ++i) finder.Add(csv->rows[i][student], i);
  for (const Listed& one : table.missing) {
    if (const auto row = finder.RowOf(one.id, {})) csv->rows[*row][score] = "0";
  }
  for (const Line& line : table.lines) {
    const auto row = finder.RowOf(line.entry.id, line.entry.known_as);
    if (!row) continue;
    if (line.mark.score) csv->rows[*row][score] = line.mark.score->Text();
    if (!rule.comment.empty()) csv->rows[*row][comment] = Harmless(line.mark.Remarks());
  }
  return CsvText(*csv);
}

}  // namespace warpcheck::batch
