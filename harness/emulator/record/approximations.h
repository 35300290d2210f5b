// Approximations are executed instructions for which PTX does not say every bit of the result: a
// GPU may compute other last digits than the emulator.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

  friend auto operator<=>(const Approximation&, const Approximation&) = default;
};

WARPCHECK_FIELDS(Approximation, instruction, where, used, use);

// Keeps different approximations, in the order in which they are told. Its size is limited, because
// a program may have any number of them.
class Approximations {
 public:
  static constexpr std::size_t kMost = 1'000;

  // Beyond kMost, one that is used takes the place of the first, if that one is not used.
  void Add(const Approximation& approximation);
  // Returns all, and clears them.
  std::vector<Approximation> Take();

 private:
  std::vector<Approximation> all_;
  std::set<Approximation> known_;
};

// Tells of each instruction once, in the order of launches and of the code.
class ApproximationLog {
 public:
  // Call this when the launch has ended. Its counts say what was executed.
  void Add(const Launch& launch, const std::function<void(const Approximation&)>& tell);

 private:
  std::set<std::pair<const Program*, std::uint32_t>> told_;
};

}  // namespace warpcheck::emulator
