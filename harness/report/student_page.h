// What became of one submission, as a page: the score, what lost points, and the source with what
// each line costs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grading/grade.h"

namespace warpcheck {

// Beside the grade: whose it is.
struct StudentHead {
  std::string name;         // as to be shown; any UTF-8
  std::string submitted{};  // may be empty
  bool late = false;
  std::string mark{};  // the points that count, where remarks change them; empty: not final
  std::vector<std::string> remarks{};  // what lateness took, and what people said
};

// Names nobody else, and links to nothing but itself.
std::string StudentPage(const Grade& grade, const StudentHead& head);

// Where a student stands among those of the class that have pages.
struct ClassPlace {
  struct Neighbour {
    std::string address;
    std::string name;  // any UTF-8
  };
  std::string class_page;  // its address
  std::size_t number = 0;  // from 1
  std::size_t count = 0;
  std::optional<Neighbour> previous{};
  std::optional<Neighbour> next{};
};

// For instructors: a StudentPage with links to the class's page and to the neighbours.
std::string WithClassPlace(std::string student_page, const ClassPlace& place);

}  // namespace warpcheck
