// This is one task of a Slurm array. It grades the submissions of its chunk, one after the other.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

#include "base/result.h"
#include "batch/journal/identity.h"
#include "batch/work/executor.h"

namespace warpcheck::batch {

struct SlurmTaskTools {
  // Makes the executor that grades on this node.
  std::function<Result<std::unique_ptr<Executor>>(const BatchIdentity& identity)> executor;
  std::function<bool()> stopped = [] { return false; };  // returns true once Slurm ends the task
  // The time to wait, after a grader's death, for a sign that Slurm has ended it.
  std::chrono::milliseconds grace{1000};
};

enum class SlurmTaskEnd { kDone, kFault, kStopped };

// Grades the submissions that earlier runs of the task have not graded, and writes events
// (batch/slurm/task_files.h). If three runs ended while they graded a submission, its grader counts
// as having died. A fault of this node becomes an event. Fails only if no event can be written.
Result<SlurmTaskEnd> RunSlurmTask(const std::filesystem::path& array, std::size_t task,
                                  const SlurmTaskTools& tools);

}  // namespace warpcheck::batch
