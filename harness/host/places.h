// Finds the folders and programs of this machine that grading uses.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace warpcheck {

// Returns the folder that contains assignments/. This is WARPCHECK_HOME if it is set. Otherwise it
// is share/warpcheck if the programs are installed in lib/warpcheck beside it, or the folder that
// they were built from.
std::filesystem::path Home();
// Returns the folder with the files that a new course copies: share/warpcheck/course or ci/course.
std::filesystem::path CourseFiles();
// Returns the folder of the running program.
std::filesystem::path Programs();
// Returns the program that serves a GPU: WARPCHECK_GPU_HOST if it is set, otherwise gpu_host in
// Programs().
std::filesystem::path GpuHost();
// Returns the program that grades for a batch: WARPCHECK_GRADE_WORKER if it is set, otherwise
// warpcheck_class.
std::filesystem::path GradeWorker();

// Returns the folder of the build cache: WARPCHECK_CACHE if it is set, or else
// XDG_CACHE_HOME/warpcheck, or else ~/.cache/warpcheck. Fails if these variables and HOME are all
// unset.
Result<std::filesystem::path> CacheFolder();

}  // namespace warpcheck
