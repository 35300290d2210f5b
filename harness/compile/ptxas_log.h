// What `ptxas -v` prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/kernel_resources.h"

namespace warpcheck::compile {

// Of each kernel, in ptxas's order. Of functions that were not inlined, the one that spills most of
// those that a kernel of the `ptx` reaches counts in its place, if it spills more.
std::vector<KernelResources> ParsePtxasLog(std::string_view log, std::string_view ptx);

// One of its complaints about a line of PTX: "ptxas k.ptx, line 29; error   : Unknown modifier".
struct PtxasComplaint {
  std::string file;
  int line = 0;
  std::string kind;  // "error", "warning"
  std::string message;
};
std::optional<PtxasComplaint> ParsePtxasPlace(std::string_view line);

// The message of its first error: "Unknown modifier '.instr'"; empty where there is none.
std::string FirstPtxasError(std::string_view log);

// Where in the source a line of PTX comes from.

struct PtxPlace {
  SourceLocation where;  // by the .loc before the line; the file as the .file table has it
  std::string text;      // of the line, without what surrounds it
};

// `line` from 1. Empty where there is no such line, or no .loc before it in its function.
PtxPlace PlaceInPtx(std::string_view ptx, int line);

}  // namespace warpcheck::compile
