#include "batch/marks/late_days_csv.h"

#include "batch/course/csv.h"
#include "batch/marks/table_text.h"

namespace warpcheck::batch {

std::string LateDaysCsv(const Table& table) {
  CsvTable csv;
  csv.header = {"id", "name", "used", "left"};
  for (const Line& line : table.lines) {
    csv.rows.push_back({line.entry.id, CellText(line.entry.name),
                        std::to_string(line.mark.late_days), std::to_string(line.mark.days_left)});
  }
  return CsvText(csv);
}

}  // namespace warpcheck::batch
