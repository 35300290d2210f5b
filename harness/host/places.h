// The folders and programs of this machine that grading uses.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace warpcheck {

// Returns the folder that holds assignments/: WARPCHECK_HOME; else share/warpcheck, if the programs
// are installed in lib/warpcheck beside it; else the folder that they were built from.
std::filesystem::path Home();
// Returns the folder of the files that a new course copies: share/warpcheck/course or ci/course.
std::filesystem::path CourseFiles();
// Returns the folder of the running program.
std::filesystem::path Programs();
// Returns the program that holds a GPU: WARPCHECK_GPU_HOST, else gpu_host in Programs().
std::filesystem::path GpuHost();
// Returns the program that grades for a batch: WARPCHECK_GRADE_WORKER, else warpcheck_class.
std::filesystem::path GradeWorker();

// Returns the folder of the build cache: WARPCHECK_CACHE, else XDG_CACHE_HOME/warpcheck, else
// ~/.cache/warpcheck. Fails if none of these variables, nor HOME, is set.
Result<std::filesystem::path> CacheFolder();

}  // namespace warpcheck
