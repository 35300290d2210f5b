// Runs nvcc once in the sandbox, and classifies its end.
#pragma once

#include <filesystem>
#include <string>

#include "compile/messages/compiler_death.h"
#include "compile/outcome.h"
#include "compile/source/sources.h"
#include "sandbox/sandbox.h"

namespace warpcheck::compile {

struct NvccRun {
  const Sources& sources;
  std::filesystem::path nvcc;
  std::filesystem::path work;  // an empty folder for all files, including the outcome's object
  Language language;
  int ptx_target = 0;
  bool only_kernels = false;  // true to make PTX in place of a shared object
  sandbox::Limits limits;
};

struct NvccEnd {
  Outcome outcome;  // set for kVerdict and kCrash
  Standing standing = Standing::kVerdict;
  std::string why;  // the reason why nvcc ended; set for all endings except kVerdict
};

// Runs nvcc, and runs ptxas at the same time to learn what resources the kernels need. Two threads
// use `sandbox` concurrently. Fails if one of the programs cannot be started.
Result<NvccEnd> RunNvcc(sandbox::Sandbox& sandbox, const NvccRun& run);

}  // namespace warpcheck::compile
