// Runs nvcc once in the sandbox, and says what its end proves.
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
  std::filesystem::path work;  // an empty folder for all files, the outcome's object included
  Language language;
  int ptx_target = 0;
  sandbox::Limits limits;
};

struct NvccEnd {
  Outcome outcome;  // set for kVerdict and kCrash
  Standing standing = Standing::kVerdict;
  std::string why;  // what ended nvcc; set for all but kVerdict
};

// Runs nvcc, and ptxas beside it, which says what resources the kernels need. Two threads use
// `sandbox` at the same time. Fails if one of the programs cannot be started.
Result<NvccEnd> RunNvcc(sandbox::Sandbox& sandbox, const NvccRun& run);

}  // namespace warpcheck::compile
