// Reads the text that `ptxas -v` prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/kernel_resources.h"

namespace warpcheck::compile {

// Returns the resources of each kernel, in ptxas's order. A kernel may call functions that were not
// inlined. Then its spills are the spills of one function: the one that spills most among the
// kernel and all functions that it reaches in `ptx`.
std::vector<KernelResources> ParsePtxasLog(std::string_view log, std::string_view ptx);

// An error or a warning about one line of PTX, as in "ptxas k.ptx, line 29; error   : Unknown
// modifier".
struct PtxasComplaint {
  std::string file;
  int line = 0;
  std::string kind;  // "error" or "warning"
  std::string message;
};
std::optional<PtxasComplaint> ParsePtxasPlace(std::string_view line);

// Returns the message of the first error, such as "Unknown modifier '.instr'"; empty if there is no
// error.
std::string FirstPtxasError(std::string_view log);

}  // namespace warpcheck::compile
