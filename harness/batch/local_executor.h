// Grades with worker processes of this machine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batch/executor.h"
#include "batch/memory.h"
#include "batch/terms.h"

namespace warpcheck::batch {

struct LocalExecutorSettings {
  std::filesystem::path worker;               // a program that calls ServeAsWorker
  std::vector<std::string> worker_arguments;  // its own name not among them
  std::filesystem::path scratch;              // an existing folder for temporary files
  Terms terms;
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
