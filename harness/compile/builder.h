// A student's .cu to a shared object that holds its PTX, through nvcc in the sandbox, cached by
// content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "compile/language.h"
#include "device/kernel_resources.h"
#include "sandbox/sandbox.h"

namespace warpcheck::compile {

struct Request {
  // One .cu file, or a folder: all its .cu files are compiled together, its headers are visible.
  std::filesystem::path submission;
  // Headers made visible beside it: the assignment's interface.
  std::vector<std::filesystem::path> headers;
  // Compute capability * 10 of the oldest GPU that shall run it: 75, ..., 90.
  int ptx_target = 90;
  Language language{};
  bool anew = false;  // past the cache, which then gets what comes out
};

class Cache;
struct Job;

struct CompileError {
  std::string log;       // nvcc's text with the student's own file names
  SourceLocation where;  // of the first error; empty if it names none
  std::string message;   // of the first error
};
WARPCHECK_FIELDS(CompileError, log, where, message);

struct Artifact {
  std::filesystem::path shared_object;
  std::vector<std::string> sources;        // names as they stand in the PTX's .file table
  std::string warnings;                    // nvcc's text, empty if none
  std::string toolkit{};                   // whose nvcc it was: "13.0.88"; empty where it says none
  std::vector<ModuleResources> modules{};  // what ptxas gives their kernels, one a .cu file
  bool from_cache = false;
};
WARPCHECK_FIELDS(Artifact, shared_object, sources, warnings, toolkit, modules, from_cache);

struct Outcome {
  std::optional<Artifact> artifact;
  std::optional<CompileError> error;  // exactly one of the two; the student's fault
};
WARPCHECK_FIELDS(Outcome, artifact, error);

// Why there is no outcome.
struct Failure : Error {
  enum class Blame : std::uint8_t {
    kSubmission,  // no such file, no .cu, too large, a symbolic link, an odd name
    kMachine,     // no nvcc, no sandbox, a full disk
    kMoment,      // a compiler that is killed, or too busy a machine: it need not happen again
  };
  Blame blame = Blame::kMachine;
};

// An entry of the environment ("NAME=value") of a compiler or a checks program: large pages where
// the kernel offers them, few requests for more, and what is freed is kept. Grading a new
// submission takes 6 % less time: reduce 2.62 s to 2.43, transpose 1.47 to 1.38, heat2d 2.23
// to 2.09, on a virtual machine of two cores. Of glibc 2.35 on (glibc manual, "Memory Allocation
// Tunables"); others take no notice.
inline constexpr char kLargePages[] =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216:"
    "glibc.malloc.trim_threshold=536870912:glibc.malloc.mmap_threshold=33554432";
// Where glibc looks up which pages the kernel has: a sandbox has to show it.
inline constexpr char kLargePagesInfo[] = "/sys/kernel/mm/transparent_hugepage";

// Tells one toolkit from another without starting it: nvcc's real path, size and time.
Result<std::string> Fingerprint(const std::filesystem::path& nvcc);

// 45 s of processor time, 4 GiB, files of 256 MB. A file of an exercise takes 2 to 3 s, one that
// includes CUB 10.
sandbox::Limits CompileLimits();

class Builder {
 public:
  struct Settings {
    std::filesystem::path nvcc;
    std::filesystem::path cache;                         // a folder, made if missing
    std::uint64_t cache_bytes = std::uint64_t{1} << 30;  // the longest unused go first
    sandbox::Limits limits = CompileLimits();
    // Where something does not compile, lets nvcc compile what surely does: an nvcc that is broken,
    // or has no room to write, is then a failure of the machine, and nobody's error is remembered.
    bool doubts_nvcc = false;
  };
  Builder(sandbox::Sandbox& sandbox, Settings settings);

  // What nvcc says about the student's code is an Outcome, not a failure, and neither is a limit
  // that the code meets or a compiler that crashes on it, which it has to do twice. Neither a
  // failure nor what led to it is kept in the cache.
  tl::expected<Outcome, Failure> Build(const Request& request);

 private:
  struct Compiled;
  tl::expected<Outcome, Failure> FindOrCompile(Job job);
  tl::expected<Compiled, Failure> CompileSurely(const Cache& cache, const Job& job);
  Result<Compiled> Compile(const Cache& cache, const Job& job);
  Result<> TryNvcc(const Cache& cache, const Job& job);

  sandbox::Sandbox& sandbox_;
  Settings settings_;
};

// By which a module is known in Artifact::modules, wherever its PTX is met.
std::string PtxDigest(std::string_view ptx);

// The PTX of each .cu file in an object that a Builder made, where it lies as plain text.
std::vector<std::string> PtxIn(std::string_view object);

// Removes what this process has begun in a cache and not finished: for a program that has to end at
// once.
void RemoveScratch(const std::filesystem::path& cache);

}  // namespace warpcheck::compile
