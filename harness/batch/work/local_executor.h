// LocalExecutor grades with worker processes on this machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batch/journal/identity.h"
#include "batch/work/executor.h"
#include "batch/work/memory.h"

namespace warpcheck::batch {

struct LocalExecutorSettings {
  std::filesystem::path worker;               // a program that calls ServeAsWorker
  std::vector<std::string> worker_arguments;  // the arguments, without the program's name
  std::filesystem::path scratch;              // an existing folder for temporary files
  BatchIdentity identity;
  std::size_t jobs = 1;  // how many workers run at once
  // Values of CUDA_VISIBLE_DEVICES; each GPU serves one job at a time.
  std::vector<std::string> gpus;
  // A worker that has not answered within this time counts as held up. This only prevents endless
  // waiting: the limits of compiling and of the checks end a job much sooner.
  std::chrono::seconds job_limit{60 * 60};
  MemoryRule memory;
  std::function<std::optional<std::uint64_t>()> available_memory = [] { return AvailableMemory(); };
};

std::unique_ptr<Executor> MakeLocalExecutor(LocalExecutorSettings settings);

}  // namespace warpcheck::batch
