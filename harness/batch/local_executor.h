// Grades with worker processes of this machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/lines.h"
#include "base/result.h"
#include "batch/executor.h"
#include "batch/journal.h"
#include "batch/memory.h"
#include "batch/worker.h"
#include "process/child_process.h"

namespace warpcheck::batch {

// A worker (batch/worker.h) as seen by who started it.

struct WorkerCommand {
  std::filesystem::path program;
  std::vector<std::string> arguments;  // its own name not among them
  std::filesystem::path scratch;       // its TMPDIR, an existing folder; its log lies there too
};

// Destroying it kills it, and all that it started.
class WorkerProcess {
 public:
  static Result<std::unique_ptr<WorkerProcess>> Start(const WorkerCommand& command);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // Readable when it has said something or ended.
  int answers() const { return answers_.get(); }

  // A worker that has ended takes no orders: that is told by Hear.
  void Tell(const nlohmann::json& order);

  struct End {
    std::string how;         // "was killed by signal 9 (killed)", and its last words
    bool by_others = false;  // by a signal that somebody sent
  };
  struct Heard {
    std::vector<WorkerSays> said;
    std::optional<End> ended;
  };
  // Without waiting.
  Heard Hear();

  // Ends it and everything it started.
  void Kill();

 private:
  WorkerProcess(std::unique_ptr<ChildProcess> child, Descriptor orders, Descriptor answers,
                std::filesystem::path log)
      : child_(std::move(child)),
        orders_(std::move(orders)),
        answers_(std::move(answers)),
        log_(std::move(log)) {}
  End Ending();

  std::unique_ptr<ChildProcess> child_;
  bool killed_ = false;  // by us
  Descriptor orders_;
  Descriptor answers_;
  std::filesystem::path log_;
  Lines lines_;
};

struct LocalExecutorSettings {
  std::filesystem::path worker;               // a program that calls ServeAsWorker
  std::vector<std::string> worker_arguments;  // its own name not among them
  std::filesystem::path scratch;              // an existing folder for temporary files
  BatchIdentity identity;
  std::size_t jobs = 1;           // at once
  std::vector<std::string> gpus;  // values of CUDA_VISIBLE_DEVICES; each serves one job at a time
  // A guard against waiting for ever: a worker that has not answered by then is held up. What it
  // does is limited otherwise, and ends sooner.
  std::chrono::seconds job_limit{60 * 60};
  MemoryRule memory;
  std::function<std::optional<std::uint64_t>()> available_memory = [] { return AvailableMemory(); };
};

std::unique_ptr<Executor> MakeLocalExecutor(LocalExecutorSettings settings);

}  // namespace warpcheck::batch
