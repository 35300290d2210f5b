// A Program is a function of a module, decoded once and run many times. It consists of steps, which
// are divided into basic blocks.
//
// A text becomes a program in these steps. ParsedModules keeps parsed modules, and what they were
// decoded to. FunctionDecoder decodes each function that a kernel can reach. It finds the basic
// blocks and where branches meet again (decode/control_flow.h), gives each register a slot in the
// frame (ptx/analysis/liveness.h), adds constants and special registers, and asks the instruction's
// family (instructions/) for the function that executes it. Loops in which a thread waits for
// another are marked (decode/spin_loops.h). The flow of values (decode/flow.h) and the origins of
// addresses (ptx/analysis/address_origins.h) are computed when somebody asks. All of this work is
// counted (decode/preparation.h): a text that takes too long to analyse is refused, at the same
// place on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/code/matrix_layout.h"
#include "emulator/code/memory_info.h"
#include "emulator/code/step.h"
#include "emulator/code/texture_info.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

// The most local memory that a thread may have for all the functions that it has entered, as on a
// GPU.
inline constexpr std::uint64_t kMaxLocalBytes = std::uint64_t{512} << 10;

// Says how a basic block ends. Every value except kFall represents the block's last instruction.
// kSpin is a branch back to the start of a loop that waits for another thread
// (decode/spin_loops.h).
enum class Ending : std::uint8_t {
  kFall,
  kBra,
  kSpin,
  kBrxIdx,
  kCall,
  kRet,
  kExit,
  kTrap,
  kBarrier,
};

// An index into Program::blocks; blocks.size() means the end of the function.
using BlockId = std::uint32_t;

// A basic block executes the steps [first, last) in order, and then its ending, whose step is
// steps[last].
struct CodeBlock {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t instructions = 0;  // the number of instructions, including that of the ending
  // The sum of CostOf (decode/control_flow.h), which is taken from the budget.
  std::uint32_t cost = 0;
  // For kSpin, the cost of the loop's code: at most this much of a turn was an iteration that
  // waited.
  std::uint32_t spin_cost = 0;
  Ending ending = Ending::kFall;
  BlockId next = 0;        // the block for lanes that do not jump
  BlockId reconverge = 0;  // the immediate post-dominator, where all lanes meet again
  // kAllLanes if a step of the block names its members, which may be lanes on other paths;
  // otherwise 0.
  LaneMask reconvergence_mask = 0;
  // True if a step is an atomic that gives its lanes a value, perhaps of global memory.
  bool may_draw = false;
};

enum class BarrierKind : std::uint8_t { kSync, kArrive, kPopc, kAnd, kOr };

// Describes a call: the function that it calls, and the argument symbols of the caller that it
// copies to the callee's parameters and back.
struct CallInfo {
  struct Argument {
    Slot caller = 0;  // the slot of lane 0's bytes; the bytes of lane i lie i * stride further
    std::uint32_t stride = 0;
    std::uint32_t bytes = 0;
  };
  bool direct = false;
  // The callee of a direct call; for an indirect call, Step::a has the address.
  ptx::FunctionId callee = 0;
  std::vector<Argument> returns;
  std::vector<Argument> arguments;
};

// A .param symbol of a device function or of a call sequence. Each lane has `stride` bytes of it in
// the frame.
struct ParamArea {
  Slot slot = 0;
  std::uint32_t stride = 0;
  std::uint32_t bytes = 0;
};

struct Program {
  struct Special {
    ptx::SpecialRegister which = {};
    Slot slot = 0;
    std::uint32_t bytes = 0;
  };
  // The address of a local variable, which is known only when a thread enters the function.
  struct LocalAddress {
    std::uint64_t offset = 0;  // the offset from the start of the function's part of local memory
    Slot slot = 0;
    std::uint32_t bytes = 0;
  };

  struct Range {
    Slot slot = 0;
    std::uint32_t bytes = 0;
  };

  const ptx::Function* function = nullptr;
  ptx::FunctionId id = 0;
  std::string error;  // why it cannot be executed; empty if it can be
  std::uint32_t error_instruction = 0;
  // The reasons why instructions cannot be executed, by Step::data.
  std::vector<std::string> refusals;
  std::vector<Slot> register_slots;  // slots of registers, by ptx::RegisterId
  std::vector<Step> steps;           // one entry for each instruction, at the same index
  std::vector<CodeBlock> blocks;
  std::vector<std::vector<BlockId>> tables;  // the tables of brx.idx
  std::vector<MemoryInfo> memory;
  std::vector<Step> extra;  // the second accesses of cp.async instructions, which have two
  std::vector<MatrixInfo> matrices;
  std::vector<TextureInfo> textures;
  std::vector<CallInfo> calls;
  std::vector<ParamArea> returns, parameters;  // areas of a device function
  // The frame has registers and parameter areas first. From constants_begin on it has values that
  // are filled in before the function runs: immediates, special registers and local addresses.
  std::uint32_t constants_begin = 0;
  std::uint32_t frame_bytes = 0;
  std::vector<std::byte> constants;  // the bytes of these values
  std::vector<Special> specials;
  std::vector<LocalAddress> local_addresses;
  std::vector<Range> read_before_written;  // the registers that are filled with poison on entry
  std::uint32_t local_bytes = 0;           // bytes of each thread
  std::uint32_t live_registers = 0;        // the most 32-bit registers live at once

  // True if the function uses sync() of a grid, which makes all blocks wait.
  bool CallsGridSync() const {
    return std::ranges::find(specials, ptx::SpecialRegister::kEnvreg1, &Special::which) !=
           specials.end();
  }
};

}  // namespace warpcheck::emulator
