// This header declares what `warpcheck mutation` and `warpcheck more-work` share: they find the
// assignments whose programs are changed, and grade the changed programs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "grading/assignments.h"
#include "labs/commands.h"
#include "labs/mutation/run.h"

namespace warpcheck {

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
