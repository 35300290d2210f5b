// Approximations are executed instructions for which PTX does not say every bit of the result: a
// GPU may compute other last digits than the emulator.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "base/record.h"
#include "base/source_location.h"

namespace warpcheck::emulator {

struct Launch;   // defined in emulator/core/launch.h
struct Program;  // defined in emulator/code/program.h

struct Approximation {
  std::string instruction;  // such as "ex2.approx.f32"
  SourceLocation where;
  // True if its result may reach memory, a branch or another function. `use` is the first such
  // place. The code between is not executed to find this out, so a value that is multiplied by 0
  // counts too.
  bool used = false;
  SourceLocation use;

  friend bool operator==(const Approximation&, const Approximation&) = default;
};

WARPCHECK_FIELDS(Approximation, instruction, where, used, use);

// Tells of each instruction once, in the order of launches and of the code.
class ApproximationLog {
 public:
  // Call this when the launch has ended. Its counts say what was executed.
  void Add(const Launch& launch, const std::function<void(const Approximation&)>& tell);

 private:
  std::set<std::pair<const Program*, std::uint32_t>> told_;
};

}  // namespace warpcheck::emulator
