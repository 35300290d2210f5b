// Makes the commands that run programs of NVIDIA's toolkit on a submission's files in the sandbox.
#pragma once

#include <filesystem>
#include <string>

#include "compile/nvcc_run.h"
#include "sandbox/sandbox.h"

namespace warpcheck::compile {

// The folders as nvcc sees them. In the sandbox they have fixed names, because the PTX contains
// these names.
struct Places {
  std::string sources;
  std::string output;
};
Places PlacesOf(const sandbox::Sandbox& sandbox, const NvccRun& run);

// A folder of the output, for the intermediate files of nvcc.
inline constexpr char kKept[] = "keep";

// Returns the command for a program of the toolkit, with its arguments still missing.
sandbox::Command CommandOf(const NvccRun& run, const std::filesystem::path& program);

// Returns the command for nvcc with the flags of the language and the folder of the sources. The
// files and what to make of them are still missing.
sandbox::Command NvccCommand(const NvccRun& run, const Places& places);

}  // namespace warpcheck::compile
