// What `ptxas -v` prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/kernel_resources.h"

namespace warpcheck::build {

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

}  // namespace warpcheck::build
