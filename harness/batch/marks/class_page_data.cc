#include "batch/marks/class_page_data.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace warpcheck::batch {
namespace {

ClassPage::Row PageRowOf(const Line& line) {
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

// Adds the students without a grade, as grades.csv does.
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

std::vector<ClassPage::Excluded> PageExcluded(const std::vector<Excluded>& excluded) {
  std::vector<ClassPage::Excluded> shown;
  for (const Excluded& one : excluded) shown.push_back({.what = one.what, .reason = one.reason});
  return shown;
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
  for (const Line& line : table.lines) page.rows.push_back(PageRowOf(line));
  AddUngraded(table, page);
  page.superseded = PageExcluded(table.superseded);
  page.refused = PageExcluded(table.refused);
  page.identical = SameFiles(table);
  return page;
}

}  // namespace warpcheck::batch
