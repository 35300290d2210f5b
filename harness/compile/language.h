// The language that an assignment is written in: the C++ standard and nvcc's flags. One list of
// flags, for submissions and for references.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck::compile {

inline constexpr int kDefaultStandard = 20;
// In a list of allowed headers: all of the C++ and C standard libraries.
inline constexpr std::string_view kStandardHeaders = "standard";

struct Language {
  int standard = kDefaultStandard;   // of C++
  std::vector<std::string> flags{};  // of nvcc, such as "--extended-lambda"
  // A submission may include these headers beside its own files. They are written as in an #include
  // line; kStandardHeaders stands for the standard library. An empty list allows every header.
  std::vector<std::string> allow{};

  // What to type: "nvcc -std=c++20 -O3 --extended-lambda".
  std::string Command() const;

  friend bool operator==(const Language&, const Language&) = default;
};

// Fails, with those that there are, where it is not 17 or 20.
Result<> CheckStandard(int standard);

// Fails, with those that there are, on a flag that no assignment may ask for: it would not reach
// the kernels that are run, or does what neither device can do.
Result<> CheckFlag(std::string_view flag);

// What nvcc is given to make code for the emulator and for GPUs: position-independent, with PTX
// alone. `ptx_target`: compute capability * 10.
std::vector<std::string> NvccFlags(const Language& language, int ptx_target);

}  // namespace warpcheck::compile
