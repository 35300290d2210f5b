// Tables as comma-separated values (RFC 4180), as spreadsheets and learning platforms write them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck::batch {

struct CsvTable {
  std::vector<std::string> header;             // the first row
  std::vector<std::vector<std::string>> rows;  // the others, each as long as the header
  char delimiter = ',';                        // or ';', where the header has more of these

  // The place of the column that is called so, case aside; -1 where there is none.
  int Column(std::string_view name) const;
};

// UTF-8, with or without a byte order mark. Empty lines are left out, short rows filled up. Fails
// on a quote that does not end, a row that is too long, and on a file without a header, with its
// line.
Result<CsvTable> ParseCsv(std::string_view text, const std::string& file);

// With newlines for line ends.
std::string CsvText(const CsvTable& table);

// A cell: quoted where it has to be.
std::string CsvCell(const std::string& text, char delimiter = ',');

// Finds the row that means a student, in a table that names students its own way: the course's
// roster, a platform's gradebook.
class RowFinder {
 public:
  // The cell that says whose row it is; of two that say the same, the first counts.
  void Add(const std::string& cell, std::size_t row);

  // The first row whose cell is the student's id or a name that the course knows the student by,
  // or ends in such a name as its last word ("Participant 101"). Letter by letter: ids may differ
  // in case alone.
  std::optional<std::size_t> RowOf(const std::string& id,
                                   const std::vector<std::string>& known_as) const;

 private:
  std::map<std::string, std::size_t> by_cell_;
  std::map<std::string, std::size_t> by_last_word_;
};

}  // namespace warpcheck::batch
