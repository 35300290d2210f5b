// What can watch a run, under the names that --check takes: the emulator's checkers, and one of the
// CUDA runtime.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck::run {

// The checker of misuse of the CUDA runtime: errors nobody asked for, leaks, wrong copies.
inline constexpr std::string_view kApiChecker = "api";

struct CheckerName {
  std::string_view name;
  std::string_view finds;  // for people
  bool in_all = true;      // whether "all" means it too
};
std::vector<CheckerName> Checkers();

// "races,api", "all" or "none" as names. Fails on a name that there is none of.
Result<std::vector<std::string>> CheckersNamed(std::string_view list);

}  // namespace warpcheck::run
