#include "batch/marks/grades_csv.h"

#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "batch/course/csv.h"
#include "batch/marks/table_text.h"

namespace warpcheck::batch {
namespace {

// Returns the percentage, rounded down, so that 100 % always means all points. There is none if no
// points can be had.
std::string Percent(Points score, Points max) {
  const auto whole = max.hundredths();
  return whole == 0 ? "" : Points::FromHundredths(score.hundredths() * 10'000 / whole).Text();
}

}  // namespace

std::string GradesCsv(const Table& table) {
  const Points max = table.rubric.Total();
  const std::size_t criteria = table.rubric.criteria.size();
  CsvTable csv;
  csv.header = {"id", "name", "score", "max", "percent", "verdict"};
  for (const Criterion& criterion : table.rubric.criteria) {
    csv.header.push_back(CellText(criterion.name));
  }
  csv.header.insert(csv.header.end(),
                    {"late", "submitted", "digest", "note", "section", "taken", "remarks"});
  if (table.has_budget) csv.header.emplace_back("late_days");
  if (table.has_teams) csv.header.emplace_back("team");
  // Adds a row. `what` has four cells: late, submitted, digest and note.
  const auto add = [&](const std::string& id, const std::string& name, const Mark& mark,
                       std::string_view verdict, std::vector<std::string> points,
                       const std::array<std::string, 4>& what) {
    points.resize(criteria);
    std::vector<std::string>& row = csv.rows.emplace_back();
    row = {id,
           CellText(name),
           mark.score ? mark.score->Text() : "",
           max.Text(),
           mark.score ? Percent(*mark.score, max) : "",
           std::string(verdict)};
    row.insert(row.end(), points.begin(), points.end());
    for (const std::string& cell : what) row.push_back(CellText(cell));
    row.push_back(CellText(mark.section));
    row.push_back(mark.taken == Points() ? "" : mark.taken.Text());
    row.push_back(CellText(mark.Remarks()));
    if (table.has_budget) row.push_back(mark.late_days == 0 ? "" : std::to_string(mark.late_days));
    if (table.has_teams) row.push_back(CellText(mark.team));
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
    Mark mark;
    mark.score = Points();
    mark.section = one.section;
    mark.team = one.team;
    add(one.id, one.name, mark, "missing", {}, {"", "", "", "handed in nothing"});
  }
  return CsvText(csv);
}

}  // namespace warpcheck::batch
