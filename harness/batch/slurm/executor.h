// Grades on a Slurm cluster: it submits job arrays, each of whose tasks grades a chunk of
// submissions (batch/slurm/task.h). All nodes have to share a file system.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "batch/journal/identity.h"
#include "batch/slurm/slurm.h"
#include "batch/work/executor.h"

namespace warpcheck::batch {

struct SlurmExecutorSettings {
  std::unique_ptr<Slurm> slurm;
  std::filesystem::path folder;   // for the arrays' folders; absolute, and seen by all nodes
  std::filesystem::path program;  // the path of warpcheck on the nodes
  BatchIdentity identity;
  std::size_t at_once = 0;  // how many tasks run at once; 0: as many as the cluster allows
  std::size_t chunk = 0;    // submissions of a task; 0: chosen by their number
  // Shows a message to the user.
  std::function<void(const std::string&)> notice = [](const std::string&) {};

  // The least time between two looks at events, and at the queue; longer if a look takes long.
  std::chrono::milliseconds event_pace{500};
  std::chrono::milliseconds queue_pace{2000};
  // The time that a shared file system may take to show a file that another node has written.
  std::chrono::seconds event_delay{120};
  // The time for which the queue may fail to answer before the batch stops.
  std::chrono::seconds outage{10 * 60};
};

// Submissions of the same batch that earlier arrays in the folder have graded are delivered, and
// those that they are still grading are waited for: so a batch that was killed continues where its
// tasks are. Stop cancels the arrays and leaves their files.
std::unique_ptr<Executor> MakeSlurmExecutor(SlurmExecutorSettings settings);

}  // namespace warpcheck::batch
