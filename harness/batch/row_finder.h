// Finds the row that means a student, in a table that names students its own way: the course's
// roster, a platform's gradebook.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck::batch {

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
