// Reads and writes tables of comma-separated values (RFC 4180), as spreadsheets and learning
// platforms write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck::batch {

struct CsvTable {
  std::vector<std::string> header;             // the first row
  std::vector<std::vector<std::string>> rows;  // the other rows, each as long as the header
  char delimiter = ',';                        // ',' or ';', whichever the header has more often

  // Returns the index of the column with this name, compared without case, or -1 if there is no
  // such column.
  int Column(std::string_view name) const;
};

// Parses UTF-8 text, with or without a byte order mark. Skips empty lines, and fills short rows
// with empty cells. Fails, with the line in `file`, if a quote does not end, if a row is longer
// than the header, or if there is no header.
Result<CsvTable> ParseCsv(std::string_view text, const std::string& file);

// Returns the table as text whose lines end with a newline.
std::string CsvText(const CsvTable& table);

// Returns one cell, in quotes if it needs them.
std::string CsvCell(const std::string& text, char delimiter = ',');

}  // namespace warpcheck::batch
