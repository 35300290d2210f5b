#include "batch/table.h"

namespace warpcheck::batch {
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
