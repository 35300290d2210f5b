// This header declares what `warpcheck mutation` and `warpcheck more-work` share: they find the
// assignments whose programs are changed, and grade the changed programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grading/assignments.h"
#include "proof/mutation/run.h"

namespace warpcheck {

struct ChangedPrograms {
  std::vector<std::string> assignments;  // if empty, all assignments with a reference
  // Grades this many programs of each assignment; 0 means all.
  std::size_t sample = 0;
  // The seed decides which ones these are; without one they are always the same.
  std::optional<std::uint64_t> seed;
  // The number of programs that are graded at once; 0 means as many as there are cores.
  std::size_t jobs = 0;
  bool no_sandbox = false;
  bool where = false;  // true to make experiments, which find the changed line
};

// Returns a folder in the build of the assignment's course, for the graders' files and a cache that
// makes the next run faster.
std::filesystem::path ScratchOf(const Assignment& assignment, const std::string& name);

// Returns settings that grade with this build of warpcheck.
mutation::Grader GraderOf(const Assignment& assignment, const std::filesystem::path& scratch,
                          const ChangedPrograms& options);

std::size_t WorkersOf(const ChangedPrograms& options);

// Calls `run` for each assignment that the options name, or for all whose course has a reference.
// Returns the worst of their statuses.
int ForEach(const ChangedPrograms& options,
            const std::function<int(const Assignment& assignment)>& run);

}  // namespace warpcheck
