// What an emulator is told when it is made.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/generations.h"

namespace warpcheck::emulator {

struct Checker;       // emulator/checkers/checkers.h
class Observer;       // emulator/core/observer.h
class ParsedModules;  // emulator/code/decoded_module.h

struct Options {
  // The GPU that is emulated; never null.
  const GpuGeneration* gpu = &DefaultGpu();
  // Warp instructions that all launches of this emulator may execute together.
  std::uint64_t instruction_budget = 4'000'000'000;
  // Where what is left of them is counted down, for who renews it; not owned. Null: by itself.
  std::uint64_t* budget = nullptr;
  // Where what launches cost beside the instructions that they execute is counted down, in warp
  // instructions; not owned. Once it is used up, launches fail as if the budget were. Null: nobody
  // counts.
  std::uint64_t* overhead = nullptr;
  // Device memory that may be allocated, in bytes.
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  // Permutes the order of blocks, and of warps within a block; in order when absent.
  std::optional<std::uint64_t> order_seed;
  // Source files to which counters and findings are attributed, by the path in the PTX; code
  // inlined from other files counts for the line that called it. Default: every file.
  std::function<bool(std::string_view path)> is_student_file;
  // Registers that ptxas gives a thread of a kernel of a loaded module, by its mangled name; 0
  // where it is not known: then they are estimated.
  std::function<std::uint32_t(const std::string& kernel)> registers_of = {};
  // Runs the build of the instructions for any x86-64 where a faster one would do: the bits are the
  // same.
  bool portable = false;
  // What watches every launch, besides `observers`: one each for every thread (checkers.h).
  std::vector<const Checker*> checkers = {};
  // Threads among which the blocks of a launch are divided, the caller's included. Whatever their
  // number, results and reports are those of one (parallel_run.h).
  unsigned threads = 1;
  // Told when several have run a launch: whether what they did could be kept, or one thread has to
  // run it again.
  std::function<void(bool kept)> on_parallel = {};
  // Where modules are looked up before they are parsed, for several emulators, one at a time; not
  // owned. Null: it has its own.
  ParsedModules* parsed = nullptr;
  // See every event of a warp, in this order; not owned.
  std::vector<Observer*> observers = {};
};

}  // namespace warpcheck::emulator
