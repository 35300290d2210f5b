// What one task of a Slurm array does: it grades its chunk, one submission after the other.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

#include "base/result.h"
#include "batch/executor.h"
#include "batch/journal.h"

namespace warpcheck::batch {

struct SlurmTaskTools {
  // Makes what grades on this node.
  std::function<Result<std::unique_ptr<Executor>>(const BatchIdentity& identity)> executor;
  std::function<bool()> stopped = [] { return false; };  // Slurm wants it to end
  // How long after a grader's death it may turn out that Slurm has ended it.
  std::chrono::milliseconds mercy{1000};
};

enum class SlurmTaskEnd { kDone, kFault, kStopped };

// Grades what earlier runs of the task have not (batch/slurm/files.h). A submission that was being
// graded when three of them ended counts as having ended its grader. What goes wrong with this node
// is in the task's news; fails where there is no writing them.
Result<SlurmTaskEnd> RunSlurmTask(const std::filesystem::path& array, std::size_t task,
                                  const SlurmTaskTools& tools);

}  // namespace warpcheck::batch
