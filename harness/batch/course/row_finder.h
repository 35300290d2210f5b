// RowFinder finds the row of a student in a table that names students in its own way.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck::batch {

// The table is the course's roster or a platform's gradebook; one of its columns names the
// students. Names are compared exactly, because two ids may differ only in case.
class RowFinder {
 public:
  // Adds a row with its cell of that column. If two cells are equal, keeps the first row.
  void Add(const std::string& cell, std::size_t row);

  // Returns the first row whose cell is the student's id, is a name by which the course knows the
  // student, or ends with such a name as its last word ("Participant 101").
  std::optional<std::size_t> RowOf(const std::string& id,
                                   const std::vector<std::string>& known_as) const;

 private:
  std::map<std::string, std::size_t> by_cell_;
  std::map<std::string, std::size_t> by_last_word_;
};

}  // namespace warpcheck::batch
