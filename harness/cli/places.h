// Where things are on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "grading/assignments.h"
#include "grading/rubric.h"

namespace warpcheck {

inline constexpr int kExitFull = 0;   // full marks, or as many as --fail-under asks
inline constexpr int kExitLost = 1;   // points lost
inline constexpr int kExitUsage = 2;  // wrong usage: no such file, assignment, device
inline constexpr int kExitFault = 3;  // harness fault, or not measured and the score needs it

// What holds assignments/: WARPCHECK_HOME, else share/warpcheck beside the programs' lib/warpcheck,
// where they are installed, else the folder that they were built from.
std::filesystem::path Home();
// Where assignments are looked for: first the course that WARPCHECK_COURSE names, a folder or a
// bundle, whose SHA-256 has to be WARPCHECK_TRUST; then what is installed or built; then the
// current folder, whose checks cannot take the place of others: it may be a student's. A course's
// programs are in its build/. Fails on a bundle that may not be used.
Result<std::vector<Course>> Courses();
Result<Assignment> AssignmentNamed(std::string_view name);  // in them
Result<Rubric> RubricOf(const Assignment& assignment);      // read and parsed
// What courses copy: ci/course, or share/warpcheck/course.
std::filesystem::path CourseFiles();
std::filesystem::path Programs();     // the folder of the running program
std::filesystem::path GpuHost();      // WARPCHECK_GPU_HOST, else gpu_host in Programs()
std::filesystem::path GradeWorker();  // WARPCHECK_GRADE_WORKER, else warpcheck_class

// The first that is there: in CUDA_HOME; of the wheels that `pip install warpcheck[toolkit]`
// brings, beside the one that holds this program; where warpcheck was built with it; on PATH.
struct ChosenNvcc {
  std::filesystem::path path;
  std::string why;  // "CUDA_HOME names it"
};
std::optional<ChosenNvcc> ChooseNvcc();
Result<std::filesystem::path> Nvcc();  // its path

// The line of `program --version` that holds `mark`, from there on; empty where there is none.
std::string VersionOf(const std::filesystem::path& program, std::string_view mark);

// WARPCHECK_CACHE, else XDG_CACHE_HOME/warpcheck, else ~/.cache/warpcheck. Fails without a home.
Result<std::filesystem::path> CacheFolder();

extern const char* const kVersion;  // "warpcheck 0.1.0"

}  // namespace warpcheck
