// Says in sentences what the table of a lab lacks, and why.
#pragma once

#include <string>
#include <vector>

#include "lab/lab.h"
#include "lab/run/measure.h"

namespace warpcheck::lab {

// Finds columns whose formula gives no number in any line, though all of its names have values.
class UnusableColumns {
 public:
  // `lab` must outlive the object.
  explicit UnusableColumns(const Lab& lab);

  // Looks at a line of the table, and at the values of names in its formulas.
  void Look(const Row& row, const Values& values);

  std::vector<std::string> Notes() const;

 private:
  const std::vector<Column>& columns_;
  std::vector<bool> has_names_, has_value_;  // by the column; true if a line has them
};

// Returns why launches were refused. Each reason is there once, and only the first ones.
std::vector<std::string> RefusalNotes(const std::vector<Row>& rows);

}  // namespace warpcheck::lab
