#include "batch/marks/export_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/files.h"
#include "batch/course/csv.h"
#include "batch/course/row_finder.h"
#include "batch/marks/table_text.h"

namespace warpcheck::batch {

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
    if (!rule.comment.empty()) csv->rows[*row][comment] = CellText(line.mark.Remarks());
  }
  return CsvText(*csv);
}

}  // namespace warpcheck::batch
