// Grades programs with the built `warpcheck check`, as a person would.
#pragma once

#include <filesystem>
#include <string>

#include "run.h"

namespace warpcheck::mutation {

// Keeps its files in `scratch`, which is made if it is missing: a folder for each worker, and a
// cache of compiled programs, so that a second run is faster.
Grader MakeGrader(std::filesystem::path warpcheck, std::string assignment,
                  std::filesystem::path scratch);

// What warpcheck's JSON report says of a program.
Grading GradingFrom(const std::string& report);

}  // namespace warpcheck::mutation
