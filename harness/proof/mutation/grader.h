// Grades programs with the built `warpcheck check`, as a person would.
#pragma once

#include <filesystem>
#include <string>

#include "proof/mutation/run.h"

namespace warpcheck::mutation {

struct GraderOptions {
  std::filesystem::path warpcheck;  // the warpcheck program
  // The folder for the grader's files, which is made if it is missing. It has a folder for each
  // worker, and a cache of compiled programs that makes the next run faster.
  std::filesystem::path scratch;
  bool experiments = false;  // true to make experiments, which find lines but change no points
  bool sandboxed = true;  // false on a machine without bubblewrap, because mutants are our own code
};

// Returns the folder in `scratch` with the workers' temporary files, which can be removed once all
// mutants are graded.
std::filesystem::path WorkIn(const std::filesystem::path& scratch);

Grader MakeGrader(GraderOptions options, std::string assignment);

// Reads the result of a program from warpcheck's JSON report.
Grading GradingFrom(const std::string& report);

}  // namespace warpcheck::mutation
