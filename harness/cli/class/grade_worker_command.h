// These commands grade for a batch; people do not use them.
#pragma once

#include <cstddef>
#include <filesystem>

#include "batch/journal/identity.h"
#include "batch/work/local_executor.h"

namespace warpcheck {

// Grades the submissions that a batch on this machine sends to stdin (batch/work/worker.h).
int GradeWorkerCommand();

struct GradeChunkOptions {
  std::filesystem::path array;  // the folder of a task array (batch/slurm/task_files.h)
  std::size_t task = 0;
};

// Grades one task of a Slurm task array on a node.
int GradeChunkCommand(const GradeChunkOptions& options);

// Returns the settings of an executor that grades on this machine, with this program and the GPUs
// that it may use.
batch::LocalExecutorSettings GradersHere(const batch::BatchIdentity& identity,
                                         const std::filesystem::path& scratch);

}  // namespace warpcheck
