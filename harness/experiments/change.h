// A Change is one small change of a kernel or of its launch. The checks make the failing calls
// again with it (checks/experiment_run.h). If they are right then, its place is probably the
// mistake.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"
#include "base/source_location.h"
#include "device/device.h"
#include "ptx/module.h"

namespace warpcheck::experiments {

// The kinds of changes, one row each of experiments.def.
enum class Kind : std::uint8_t {
#define EXPERIMENT(name, ...) k##name,
#include "experiments/experiments.def"
#undef EXPERIMENT
};

std::string_view Text(Kind kind);    // such as "comparison"
std::string_view Phrase(Kind kind);  // "another comparison in", before a place

// One instruction that runs in place of another, or before it.
struct Edit {
  const ptx::Module* module = nullptr;  // not owned
  ptx::FunctionId function = 0;
  // The index of an instruction. For an insertion it may be one past the last.
  std::uint32_t at = 0;
  bool inserts = false;  // true if `instruction` runs before the one at `at`, which stays
  ptx::Instruction instruction;
};

// An integer or a pointer among the parameters of a kernel: its place in the parameter block.
struct Argument {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;

  friend bool operator==(const Argument&, const Argument&) = default;
};

// A LaunchChange replaces what the program gave a launch.
struct LaunchChange {
  std::string kernel;   // the mangled name
  Dim3 times_blocks{};  // the grid is so many times as large
  Dim3 more_blocks{.x = 0, .y = 0, .z = 0};
  Dim3 fewer_blocks{.x = 0, .y = 0, .z = 0};
  Dim3 more_threads{.x = 0, .y = 0, .z = 0};  // of a block
  Dim3 fewer_threads{.x = 0, .y = 0, .z = 0};
  bool turns_grid = false;            // true to exchange x and y of the grid
  bool turns_block = false;           // the same for the block
  std::vector<Argument> exchanged{};  // two arguments of one size, which are exchanged; or none
  std::optional<Argument> shifted{};  // an integer of 4 bytes, to which `shift` is added
  std::int32_t shift = 0;
  std::uint64_t times_shared = 1;  // the dynamic shared memory is so many times as large
};

struct Change {
  Kind kind = {};
  SourceLocation where;  // the line of the student's source; unknown for a launch
  std::string text;      // what the change is: "`<` becomes `<=`"
  std::vector<Edit> edits;
  std::optional<LaunchChange> launch{};
  bool is_unlikely = false;  // true if others come first
};

// A changed function has two more registers than before, which edits may use.
constexpr ptx::RegisterId NewPredicate(const ptx::Function& before) {
  return static_cast<ptx::RegisterId>(before.registers.size());
}
constexpr ptx::RegisterId NewInteger(const ptx::Function& before) {  // of 32 bits
  return NewPredicate(before) + 1;
}

// Returns the module with the edits of `change` that belong to it.
ptx::Module Changed(const ptx::Module& module, const Change& change);

// Changes the request if `change` is of its kernel.
void ChangeLaunch(const Change& change, LaunchRequest& request);

}  // namespace warpcheck::experiments
