// Finds the row of a student in a table that names students in its own way.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck::batch {

// The table is the course's roster or a platform's gradebook; one of its columns says whose row it
// is. Names are compared letter by letter, because ids may differ in case alone.
class RowFinder {
 public:
  // Adds a row by the cell of that column. If two cells are equal, the first row is kept.
  void Add(const std::string& cell, std::size_t row);

  // Returns the first row whose cell is the student's id, or one of the names that the course knows
  // the student by, or whose last word is such a name ("Participant 101").
  std::optional<std::size_t> RowOf(const std::string& id,
                                   const std::vector<std::string>& known_as) const;

 private:
  std::map<std::string, std::size_t> by_cell_;
  std::map<std::string, std::size_t> by_last_word_;
};

}  // namespace warpcheck::batch
