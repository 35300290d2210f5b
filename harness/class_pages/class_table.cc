// The controls are hidden until the script (pages/class.js) has started. It reads the rows as they
// are shown, and these attributes of each row: data-result, data-lost (numbers of criteria, from
// 1), data-late, data-open and data-section.
#include "class_pages/class_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "report/html/html_page.h"
#include "report/html/html_text.h"
#include "report/wording.h"

namespace warpcheck {
namespace {

using Row = ClassPage::Row;

constexpr std::size_t kMaxNote = 1000;

// Returns the criteria for the columns of the table and for the controls.
PageModel ColumnModels(const ClassPage& page) {
  constexpr std::size_t kBefore = 3;  // for the columns name, score and result
  PageModel columns = PageModel::array();
  for (std::size_t i = 0; i < page.criteria.size(); ++i) {
    columns.push_back({{"number", i + 1},
                       {"column", kBefore + i},
                       {"name", Shortened(page.criteria[i].name, kMaxNameShown)}});
  }
  return columns;
}

// Returns the cell of a criterion; its "points" are null if it was not graded.
PageModel CellModel(const ClassPage& page, const Row& row, std::size_t i) {
  if (i >= row.cells.size()) return {{"points", nullptr}};
  return {{"points", Number(row.cells[i].points)},
          {"criterion", Shortened(page.criteria[i].name, kMaxNameShown)},
          {"is_full", row.cells[i].points >= page.criteria[i].points}};
}

// Returns the numbers of the criteria that lost points, counted from 1, such as "1 3".
std::string LostCriteria(const ClassPage& page, const Row& row) {
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < std::min(row.cells.size(), page.criteria.size()); ++i) {
    if (row.score_is_final && row.cells[i].points < page.criteria[i].points) lost.push_back(i + 1);
  }
  return fmt::format("{}", fmt::join(lost, " "));
}

PageModel RowModel(const ClassPage& page, const Row& row) {
  const bool graded = row.state == Row::State::kGraded;
  PageModel model = StudentModel(row);
  model["result"] =
      graded ? VerdictModel(row.verdict) : PageModel{{"word", ResultWord(row)}, {"colour", "open"}};
  model["lost"] = LostCriteria(page, row);
  model["late"] = row.late;
  model["score_is_final"] = row.score_is_final;
  model["section"] = Shortened(row.section, kMaxNameShown);
  model["id"] = row.name == row.id ? "" : row.id;
  model["remark"] = row.name != row.id || !row.section.empty();
  model["score"] = row.score_is_final || graded ? Number(row.score) : PageModel();
  model["is_open"] = graded && !row.score_is_final;
  model["cells"] = PageModel::array();
  for (std::size_t i = 0; i < page.criteria.size(); ++i) {
    model["cells"].push_back(CellModel(page, row, i));
  }
  model["submitted"] = Shortened(row.submitted, kMaxNameShown);
  model["note"] = Shortened(row.note, kMaxNote);
  return model;
}

}  // namespace

PageModel StudentModel(const Row& row, std::string_view anchor, std::string_view remark) {
  return {{"name", Shortened(row.name.empty() ? row.id : row.name, kMaxNameShown)},
          {"page",
           row.state == Row::State::kGraded ? fmt::format("class/{}.html{}", row.id, anchor) : ""},
          {"remark", Shortened(remark, kMaxNameShown)}};
}

std::string_view ResultWord(const Row& row) {
  if (row.state == Row::State::kGraded) return VerdictWord(row.verdict);
  if (row.state == Row::State::kNotGraded) return "not graded";
  return row.state == Row::State::kRefused ? "refused" : "missing";
}

PageModel ClassTableModel(const ClassPage& page) {
  std::set<std::string_view> results;
  std::set<std::string> sections;
  PageModel rows = PageModel::array();
  for (const Row& row : page.rows) {
    results.insert(ResultWord(row));
    if (!row.section.empty()) sections.insert(Shortened(row.section, kMaxNameShown));
    rows.push_back(RowModel(page, row));
  }
  PageModel columns = ColumnModels(page);
  const std::size_t note = 3 + columns.size();
  return {{"results", results},
          {"sections", sections.empty() ? PageModel() : PageModel{{"names", sections}}},
          {"columns", std::move(columns)},
          {"note_column", note},
          {"rows", std::move(rows)}};
}

}  // namespace warpcheck
