// Grades programs with the built `warpcheck check`, as a person would.
#pragma once

#include <filesystem>
#include <string>

#include "labs/mutation/run.h"

namespace warpcheck::mutation {

struct GraderOptions {
  std::filesystem::path warpcheck;  // the program
  // For the grader's files, made if it is missing: a folder for each worker, and a cache of
  // compiled programs, so that a second run is faster.
  std::filesystem::path scratch;
  bool sandboxed = true;  // false: for a machine without bubblewrap; mutants are our own
};

// The folder in `scratch` that nobody needs once all are graded: the workers', with the temporary
// files of the programs that they start.
std::filesystem::path WorkIn(const std::filesystem::path& scratch);

Grader MakeGrader(GraderOptions options, std::string assignment);

// What warpcheck's JSON report says of a program.
Grading GradingFrom(const std::string& report);

}  // namespace warpcheck::mutation
