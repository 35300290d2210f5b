// One run of nvcc in the sandbox, and what its end is worth.
#pragma once

#include <filesystem>
#include <string>

#include "compile/builder.h"
#include "compile/compiler_death.h"
#include "compile/sources.h"
#include "sandbox/sandbox.h"

namespace warpcheck::compile {

struct NvccRun {
  const Sources& sources;
  std::filesystem::path nvcc;
  std::filesystem::path work;  // an empty folder for its files, which the outcome's object is among
  Language language;
  int ptx_target = 0;
  sandbox::Limits limits;
};

struct NvccEnd {
  Outcome outcome;  // of kVerdict and kCrash
  Standing standing = Standing::kVerdict;
  std::string why;  // of all but kVerdict: what ended it
};

// nvcc, and ptxas for what its kernels need of a GPU, side by side in `sandbox`, which two threads
// use then. Fails where one of them cannot be started.
Result<NvccEnd> RunNvcc(sandbox::Sandbox& sandbox, const NvccRun& run);

}  // namespace warpcheck::compile
