// An Outcome is the plain data that a compilation ends with: an artifact or an error. A Failure is
// the reason for having neither.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "compile/messages/compile_error.h"
#include "device/kernel_resources.h"

namespace warpcheck::compile {

struct Artifact {
  std::filesystem::path shared_object;  // PTX if only the kernels were wanted
  std::vector<std::string> sources;     // file names as they are in the PTX's .file table
  std::string warnings;                 // nvcc's text; empty if there are no warnings
  std::string toolkit{};                // nvcc's version, such as "13.0.88"; empty if unknown
  std::vector<ModuleResources>
      modules{};  // ptxas's resource figures of the kernels, one entry for each .cu file
  bool from_cache = false;
};
WARPCHECK_FIELDS(Artifact, shared_object, sources, warnings, toolkit, modules, from_cache);

struct Outcome {
  std::optional<Artifact> artifact;
  std::optional<CompileError> error;  // a mistake of the submission; exactly one of the two is set
};
WARPCHECK_FIELDS(Outcome, artifact, error);

// The reason why there is no outcome.
struct Failure : Error {
  enum class Blame : std::uint8_t {
    // A file is missing, is no .cu file, is too large, is a symbolic link, or has an odd name.
    kSubmission,
    kMachine,  // nvcc or the sandbox is missing, or the disk is full
    kMoment,   // the compiler was killed or too slow; trying again may help
  };
  Blame blame = Blame::kMachine;
};

}  // namespace warpcheck::compile
