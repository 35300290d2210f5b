// One run of nvcc in the sandbox, and what its end is worth.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "build/build.h"
#include "build/sources.h"
#include "sandbox/sandbox.h"

namespace warpcheck::build {

struct NvccRun {
  const Sources& sources;
  std::filesystem::path nvcc;
  std::filesystem::path work;  // an empty folder for its files, which the outcome's object is among
  Language language;
  int ptx_target = 0;
  sandbox::Limits limits;
};

enum class Standing : std::uint8_t {
  kVerdict,  // nvcc's own word, or a limit of processor time or of file sizes: it would end so
             // again
  kCrash,    // a part of nvcc crashed, or found no memory: a verdict where it does so again
  kKilled,   // a part of nvcc was killed from outside: says nothing about the submission
  kBusy,     // not ready after the wall time, though it had processor time left: neither does that
};

struct NvccEnd {
  Outcome outcome;  // of kVerdict and kCrash
  Standing standing = Standing::kVerdict;
  std::string why;  // of all but kVerdict: what ended it
};

// Fails where nvcc cannot be started.
Result<NvccEnd> RunNvcc(sandbox::Sandbox& sandbox, const NvccRun& run);

}  // namespace warpcheck::build
