// Options has the options of an emulator.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "hardware/generations.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

struct Checker;        // defined in emulator/checkers/checkers.h
class Observer;        // defined in emulator/core/observer.h
struct Approximation;  // defined in emulator/record/approximations.h
class ParsedModules;   // defined in emulator/decode/parsed_modules.h

struct Options {
  // The GPU that is emulated; never null.
  const GpuGeneration* gpu = &DefaultGpu();
  // The number of warp instructions that all launches of this emulator may execute together.
  std::uint64_t instruction_budget = 4'000'000'000;
  // The counter of the remaining warp instructions, for a caller that renews it; not owned. If
  // null, the emulator has its own, which starts at instruction_budget.
  std::uint64_t* budget = nullptr;
  // The counter of what launches may still cost beside their instructions, in warp instructions;
  // not owned. Once it is used up, launches fail as if the budget were used up. If null, this cost
  // is not limited.
  std::uint64_t* overhead = nullptr;
  // The number of bytes of device memory that may be allocated.
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  // The seed that permutes the order of blocks, and of warps within a block. If absent, they run by
  // number.
  std::optional<std::uint64_t> order_seed;
  // Returns, for the path of a file in the PTX, whether counters and findings are attributed to
  // that file. Code inlined from other files counts for the line that called it. By default this is
  // true for every file.
  std::function<bool(std::string_view path)> is_student_file;
  // Returns the registers that ptxas gives a thread of a kernel, by its mangled name. If it returns
  // 0, they are not known and are estimated.
  std::function<std::uint32_t(const std::string& kernel)> registers_of = {};
  // Counts the accesses to each allocation of global memory apart (LaunchRecord::arrays).
  bool by_allocation = false;
  // Counts the shared memory that blocks take (Counter::kSharedBytesTaken).
  bool shared_fills = false;
  // Runs the instructions that are compiled for any x86-64, even if the processor has AVX2. The
  // results have the same bits.
  bool portable = false;
  // The checkers that watch every launch, besides `observers`. Each thread has its own
  // (checkers.h).
  std::vector<const Checker*> checkers = {};
  // The number of threads that run the blocks of a launch, including the caller's. Results and
  // reports do not depend on it (parallel_run.h).
  unsigned threads = 1;
  // Called after several threads have run a launch. `kept` is false if one thread must run it
  // again.
  std::function<void(bool kept)> on_parallel = {};
  // A cache of parsed modules, which several emulators may use one at a time; not owned. If null,
  // the emulator has its own.
  ParsedModules* parsed = nullptr;
  // Returns the module to run for a text that the program loads, such as a changed one; null if the
  // text itself is the module. By default this is null for every text.
  std::function<std::shared_ptr<const ptx::Module>(std::string_view ptx)> module_for = {};
  // Changes a launch before it runs. By default nothing is changed.
  std::function<void(LaunchRequest&)> change_launch = {};
  // Called when a launch has ended, once for each instruction whose result PTX does not define to
  // the last bit (record/approximations.h).
  std::function<void(const Approximation&)> on_approximation = {};
  // Observers, which see every event in this order; not owned.
  std::vector<Observer*> observers = {};
};

}  // namespace warpcheck::emulator
