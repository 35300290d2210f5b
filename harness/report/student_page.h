// What became of one submission, as a page: the score, what lost points, and the source with what
// each line costs.
#pragma once

#include <string>

#include "grading/grade.h"

namespace warpcheck {

// Beside the grade: whose it is.
struct StudentHead {
  std::string name;         // as to be shown; any UTF-8
  std::string submitted{};  // may be empty
  bool late = false;
  std::string class_page{};  // the address of the class's page; empty for none
};

std::string StudentPage(const Grade& grade, const StudentHead& head);

}  // namespace warpcheck
