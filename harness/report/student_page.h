// What became of one submission, as a page: the score, what lost points, and the source with what
// each line costs.
#pragma once

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
  std::string class_page{};            // the address of the class's page; empty for none
};

std::string StudentPage(const Grade& grade, const StudentHead& head);

}  // namespace warpcheck
