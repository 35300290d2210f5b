// Handles the folders of Slurm job arrays: writes new ones, and reads the folders of earlier runs.
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "batch/journal/identity.h"
#include "batch/work/executor.h"

namespace warpcheck::batch {

// Returns a new name that no other array has. It consists of the characters [A-Za-z0-9-].
Result<std::string> NewArrayName();

// Groups jobs into chunks of `chunk` jobs; each task grades one chunk. If `chunk` is 0, the number
// of jobs decides the size: small enough that many nodes can help, but not so small that the start
// of tasks takes most of the time. Jobs whose digest is in `alone` get a task of their own.
std::vector<std::vector<Job>> ChunksOf(std::deque<Job> jobs, std::size_t chunk,
                                       const std::set<std::string>& alone);

// Writes an array's folder. The folder has copies of the submissions, so that they cannot change
// while tasks wait. Fails if a submission has changed since its job was made.
Result<> WriteArray(const std::filesystem::path& array, const BatchIdentity& identity,
                    const std::vector<std::vector<Job>>& chunks,
                    const std::filesystem::path& program);
std::filesystem::path ScriptPath(const std::filesystem::path& array);

// An EarlierTask is a task of an earlier run of the batch.
struct EarlierTask {
  std::string array;  // the array's name
  std::size_t index = 0;
  std::vector<std::string> digests{};  // the digests of all its submissions
  std::set<std::string> graded{};
  std::set<std::string> died{};  // the digests of submissions whose graders died
};
struct EarlierTasks {
  std::vector<EarlierTask> tasks;       // tasks of the same batch
  std::vector<std::string> unreadable;  // messages about tasks that could not be read
};
// Returns the names of the arrays in `folder`.
std::vector<std::string> FindArrays(const std::filesystem::path& folder);
// Reads the tasks of these arrays. Ask Slurm's queue before you call this. If a task ends in
// between, the queue has shown it as running, and its grades are read here.
EarlierTasks ReadEarlierTasks(const std::filesystem::path& folder,
                              const std::vector<std::string>& arrays,
                              const BatchIdentity& identity);

}  // namespace warpcheck::batch
