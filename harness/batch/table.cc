#include "batch/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "report/text.h"

namespace warpcheck::batch {

namespace {

constexpr std::size_t kMaxSays = 300;

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

std::string WhatItSays(const CriterionGrade& criterion) {
  const Complaint* complaint = FirstComplaint(criterion);
  return complaint != nullptr ? At(complaint->where, complaint->message)
                              : FirstLine(criterion.reason);
}

std::string NoteOf(const Grade& grade) {
  if (const auto& error = grade.attempt.build.error) return At(error->where, error->message);
  if (grade.score_is_final) return "";
  for (const CriterionGrade& criterion : grade.criteria) {
    if (!IsUndecided(criterion.verdict)) continue;
    return fmt::format("not final: {}: {}", CleanText(criterion.name, kMaxSays),
                       WhatItSays(criterion));
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
    cell.says = WhatItSays(criterion);
    if (const Complaint* complaint = FirstComplaint(criterion)) cell.where = complaint->where;
  }
  row.note = NoteOf(grade);
  return row;
}

namespace {

std::string Quoted(const std::string& text) {
  if (text.find_first_of("\",\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += '"';
  }
  return quoted + '"';
}

// Somebody's own words: on one line, and none that a spreadsheet takes for a formula.
std::string Words(const std::string& text) {
  std::string words = CleanText(text);
  for (char& c : words) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  const std::size_t first = words.find_first_not_of(' ');
  if (first != std::string::npos &&
      std::string_view("=+-@").find(words[first]) != std::string::npos) {
    words.insert(0, "'");
  }
  return Quoted(words);
}

std::string Percent(const Row& row) {
  if (!row.score_is_final || row.max_score == Points()) return "";
  // Rounded down: nobody has 100 who lacks a point.
  return Points::FromHundredths(row.score.hundredths() * 10'000 / row.max_score.hundredths())
      .Text();
}

}  // namespace

std::string GradesCsv(const Table& table) {
  std::string text = "id,name,score,max,percent,verdict";
  for (const Criterion& criterion : table.rubric.criteria) text += ',' + Words(criterion.name);
  text += ",late,submitted,digest,note\n";
  for (const Line& line : table.lines) {
    const Entry& entry = line.entry;
    text += fmt::format("{},{},", entry.id, Words(entry.name));
    if (line.row) {
      const Row& row = *line.row;
      text += fmt::format("{},{},{},{}", row.score_is_final ? row.score.Text() : "",
                          row.max_score.Text(), Percent(row), Name(row.verdict));
      for (const CriterionCell& cell : row.criteria) text += ',' + cell.points.Text();
    } else {
      text += fmt::format(",{},,not_graded", table.rubric.Total().Text());
      text.append(table.rubric.criteria.size(), ',');
    }
    text +=
        fmt::format(",{},{},{},{}\n", entry.late ? "late" : "", Words(entry.submitted),
                    line.digest.substr(0, 16), line.row ? Words(line.row->note) : "not graded yet");
  }
  std::set<std::string> named;
  for (const Line& line : table.lines) named.insert(line.entry.id);
  for (const Excluded& one : table.refused) {
    if (one.id.empty() || !named.insert(one.id).second) continue;
    text += fmt::format("{},{},,{},,refused{},,,,{}\n", one.id, Words(one.name),
                        table.rubric.Total().Text(), std::string(table.rubric.criteria.size(), ','),
                        Words(one.reason));
  }
  return text;
}

namespace {

std::string OnOneLine(const std::string& text) {
  std::string line = CleanText(text);
  for (char& c : line) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return line;
}

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
  row.late = line.entry.late;
  if (!line.row) return row;
  row.graded = true;
  row.score_is_final = line.row->score_is_final;
  row.score = line.row->score;
  row.verdict = line.row->verdict;
  row.note = line.row->note;
  for (const CriterionCell& cell : line.row->criteria) {
    row.cells.push_back({.points = cell.points, .verdict = cell.verdict});
  }
  return row;
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
  for (const Line& line : table.lines) page.rows.push_back(RowOf(line));
  page.superseded = Asides(table.superseded);
  page.refused = Asides(table.refused);
  page.identical = SameFiles(table);
  return page;
}

}  // namespace warpcheck::batch
