// The checkers that can watch a run, under the names that --check takes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "emulator/observer.h"

namespace warpcheck::run {

struct Checker {
  std::string_view name;
  std::string_view finds;  // for people
  // Null for a checker that is no observer: the runtime asks for it by name.
  std::unique_ptr<emulator::Observer> (*make)() = nullptr;
};

// In the order in which they watch.
std::span<const Checker> Checkers();

// The checker of misuse of the CUDA runtime: errors nobody asked for, leaks, wrong copies.
inline constexpr std::string_view kApiChecker = "api";

// "races,api", "all" or "none" as names. Fails on a name that there is none of.
Result<std::vector<std::string>> CheckersNamed(std::string_view list);

}  // namespace warpcheck::run
