// A Language is the C++ standard and the flags of nvcc for an assignment. Submissions and the
// reference are compiled with the same flags.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck::compile {

inline constexpr int kDefaultStandard = 20;
// In a list of allowed headers, this word stands for all headers of the C++ and C standard
// libraries.
inline constexpr std::string_view kStandardHeaders = "standard";
// In a list of forbidden headers, these words stand for libraries that do what exercises ask for:
// Thrust, CUB, CUTLASS, cuBLAS and the like; and for the sums and scans of cooperative groups.
inline constexpr std::string_view kLibraryHeaders = "libraries";
inline constexpr std::string_view kCollectiveHeaders = "collectives";

struct Language {
  int standard = kDefaultStandard;   // the C++ standard: 17 or 20
  std::vector<std::string> flags{};  // nvcc's flags, such as "--extended-lambda"
  // The headers that a submission may include beside its own files. They are written as in an
  // #include line; kStandardHeaders stands for the standard library. An empty list allows every
  // header.
  std::vector<std::string> allow{};
  // The headers that a submission may not include, nor any header that includes them. They are
  // written in the same way; kLibraryHeaders and kCollectiveHeaders stand for several.
  std::vector<std::string> forbid{};

  // Returns the command that a student can type: "nvcc -std=c++20 -O3 --extended-lambda".
  std::string Command() const;

  friend bool operator==(const Language&, const Language&) = default;
};

// Fails unless the standard is 17 or 20; the hint names both.
Result<> CheckStandard(int standard);

// Fails for a flag that assignments cannot use, because it would not affect the kernels or needs a
// feature that no device offers. The hint lists the flags that are offered.
Result<> CheckFlag(std::string_view flag);

// Returns nvcc's flags for position-independent code that contains only PTX, which the emulator and
// GPUs run. `ptx_target` is ten times the compute capability.
std::vector<std::string> NvccFlags(const Language& language, int ptx_target);

}  // namespace warpcheck::compile
