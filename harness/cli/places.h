// Where things are on this machine.
#pragma once

#include <filesystem>
#include <optional>

#include "base/files.h"
#include "base/result.h"

namespace warpcheck {

inline constexpr int kExitFull = 0;   // full marks, or as many as --fail-under asks
inline constexpr int kExitLost = 1;   // points lost
inline constexpr int kExitUsage = 2;  // wrong usage: no such file, assignment, device
inline constexpr int kExitFault = 3;  // harness fault, or not measured and the score needs it

std::filesystem::path Home();                 // WARPCHECK_HOME, else the folder this was built from
std::filesystem::path Programs();             // the folder of the running program
std::filesystem::path GpuHost();              // WARPCHECK_GPU_HOST, else gpu_host in Programs()
std::filesystem::path GradeWorker();          // WARPCHECK_GRADE_WORKER, else warpcheck_class
std::optional<std::filesystem::path> Nvcc();  // CUDA_HOME, else as configured, else on PATH

// WARPCHECK_CACHE, else XDG_CACHE_HOME/warpcheck, else ~/.cache/warpcheck. Fails without a home.
Result<std::filesystem::path> CacheFolder();

extern const char* const kVersion;  // "warpcheck 0.1.0"

}  // namespace warpcheck
