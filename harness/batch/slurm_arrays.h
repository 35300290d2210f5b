// The folders of Slurm arrays: making one, and finding those of earlier runs.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "batch/slurm_files.h"

namespace warpcheck::batch {

// Of [A-Za-z0-9-], never the same again.
Result<std::string> NewArrayName();

// Puts jobs into chunks of `chunk`, or of a number that suits theirs where that is 0: small, so
// that many nodes can help, and not so small that most of the time goes into starting tasks. Those
// in `alone` get a task each.
std::vector<std::vector<Job>> ChunksOf(std::deque<Job> jobs, std::size_t chunk,
                                       const std::set<std::string>& alone);

// Writes an array's folder, with copies of the submissions: what is graded does not change while
// tasks wait. Fails where a submission is not what its job says.
Result<> WriteArray(const std::filesystem::path& array, const Terms& terms,
                    const std::vector<std::vector<Job>>& chunks,
                    const std::filesystem::path& program);
std::filesystem::path ScriptPath(const std::filesystem::path& array);

// A task of an earlier run.
struct EarlierTask {
  std::string array;  // its name
  std::size_t index = 0;
  std::vector<std::string> digests;
  std::set<std::string> graded;
  std::set<std::string> died;  // their graders
};
struct EarlierTasks {
  std::vector<EarlierTask> tasks;       // by the same terms
  std::vector<std::string> unreadable;  // what could not be read, and why
};
// The names of the arrays in `folder`.
std::vector<std::string> FindArrays(const std::filesystem::path& folder);
// Their tasks. Look at the queue before: what ends in between was alive, and is graded here.
EarlierTasks ReadEarlierTasks(const std::filesystem::path& folder,
                              const std::vector<std::string>& arrays, const Terms& terms);

}  // namespace warpcheck::batch
