// The checkers that can watch a run, under the names that --check takes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "emulator/emulator.h"

namespace warpcheck::run {

struct Checker {
  std::string_view name;
  std::string_view finds;  // for people
  // Null for a checker that is none of the emulator's: the runtime asks for it by name.
  void (*enable)(emulator::Options&) = nullptr;
  bool in_all = true;  // whether "all" means it too
};

std::span<const Checker> Checkers();

// The checker of misuse of the CUDA runtime: errors nobody asked for, leaks, wrong copies.
inline constexpr std::string_view kApiChecker = "api";

// "races,api", "all" or "none" as names. Fails on a name that there is none of.
Result<std::vector<std::string>> CheckersNamed(std::string_view list);

}  // namespace warpcheck::run
