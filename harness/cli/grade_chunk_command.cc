#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/find_program.h"
#include "batch/local_executor.h"
#include "batch/slurm_task.h"
#include "cli/commands.h"
#include "cli/gpu_list.h"
#include "cli/places.h"
#include "cli/terminal.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t stop_signal = 0;  // a signal handler reaches nothing but globals

void OnStop(int signal) { stop_signal = signal; }

// On the node's own disk.
struct TaskScratch {
  fs::path path;
  ~TaskScratch() {
    std::error_code error;
    if (!path.empty()) fs::remove_all(path, error);
  }
};

Result<> MakeScratch(TaskScratch& scratch) {
  std::error_code error;
  std::string path = (fs::temp_directory_path(error) / "warpcheck-task-XXXXXX").string();
  if (error || ::mkdtemp(path.data()) == nullptr) {
    return Fail(
        fmt::format("cannot make a folder for temporary files: {}: {}", path, std::strerror(errno)),
        {}, "set TMPDIR to a folder that this user may write");
  }
  scratch.path = path;
  return {};
}

}  // namespace

int GradeChunkCommand(const GradeChunkOptions& options) {
  struct sigaction action = {};
  action.sa_handler = OnStop;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  TaskScratch scratch;
  batch::SlurmTaskTools tools;
  tools.stopped = [] { return stop_signal != 0; };
  tools.executor = [&](const batch::Terms& terms) -> Result<std::unique_ptr<batch::Executor>> {
    if (auto made = MakeScratch(scratch); !made) return Fail(made.error());
    batch::LocalExecutorSettings settings;
    settings.worker = GradeWorker();
    settings.worker_arguments = {"grade-worker", "--references",
                                 (scratch.path / "references").string()};
    settings.scratch = scratch.path;
    settings.terms = terms;
    // Those that Slurm has given to this task.
    if (terms.plan.device == "gpu") settings.gpus = ListGpus(Environment("CUDA_VISIBLE_DEVICES"));
    return batch::MakeLocalExecutor(std::move(settings));
  };
  const auto end = batch::RunSlurmTask(options.array, options.task, tools);
  if (!end) return Complain(end.error(), kExitFault);
  switch (*end) {
    case batch::SlurmTaskEnd::kDone:
      return kExitFull;
    case batch::SlurmTaskEnd::kStopped:
      return 128 + stop_signal;
    case batch::SlurmTaskEnd::kFault:
      break;
  }
  return kExitFault;
}

}  // namespace warpcheck
