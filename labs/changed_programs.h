// What `warpcheck mutation` and `warpcheck more-work` share: the assignments whose programs are
// changed, and how those are graded.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "grading/assignments.h"
#include "labs/commands.h"
#include "labs/mutation/run.h"

namespace warpcheck {

// In the build of the assignment's course: graders keep their files there, and a cache, so that a
// second run is faster.
std::filesystem::path ScratchOf(const Assignment& assignment, const std::string& name);

// Grades by this warpcheck.
mutation::Grader GraderOf(const Assignment& assignment, const std::filesystem::path& scratch,
                          const ChangedPrograms& options);

std::size_t WorkersOf(const ChangedPrograms& options);

// Calls `run` for each assignment that the options name, or for all whose course has a reference.
// Returns the worst status of those.
int ForEach(const ChangedPrograms& options,
            const std::function<int(const Assignment& assignment)>& run);

}  // namespace warpcheck
