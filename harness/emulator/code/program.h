// A function of a module, decoded once and run many times: steps, cut into basic blocks.
//
// How a text becomes one. ParsedModules keeps what was parsed and what it was decoded to. Of each
// kernel, FunctionDecoder takes the functions that it can reach: it finds the basic blocks and
// where branches meet again (control_flow.h), gives each register a slot in the frame, those that
// are never alive together the same one (liveness.h), fills constants and special registers in, and
// asks the instruction's family (instructions/) for the function that executes it. Loops in which a
// thread waits for another are marked (control_flow.h). What a checker needs to follow values
// through registers is worked out when one asks (flow.h), and so is what an address was made from
// (address_origins.h). All of this is counted (preparation.h): a text that takes too long to
// understand is refused, at the same place on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/code/matrix_layout.h"
#include "emulator/code/memory_info.h"
#include "emulator/code/step.h"
#include "emulator/code/texture_info.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

// The most local memory that a thread may have, as on the GPU: functions that it is in, together.
inline constexpr std::uint64_t kMaxLocalBytes = std::uint64_t{512} << 10;

// How a basic block ends. Everything but kFall stands for the block's last instruction. kSpin: a
// branch back to the start of a loop that waits for another thread (control_flow.h).
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

using BlockId = std::uint32_t;  // index into Program::blocks; blocks.size() is the function's end

// A basic block: steps [first, last) in order, then the ending, whose step is steps[last].
struct CodeBlock {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t instructions = 0;  // including the ending's
  std::uint32_t cost = 0;          // of these, taken from the budget: CostOf (control_flow.h)
  Ending ending = Ending::kFall;
  BlockId next = 0;        // where lanes go that do not jump
  BlockId reconverge = 0;  // the immediate post-dominator: where all lanes meet again
  // kAllLanes if a step of the block names its members, who may be lanes on other paths; else 0.
  LaneMask reconvergence_mask = 0;
};

enum class BarrierKind : std::uint8_t { kSync, kArrive, kPopc, kAnd, kOr };

// What a call copies: the caller's argument symbols to the callee's parameters, and back.
struct CallInfo {
  struct Argument {
    Slot caller = 0;  // of the first lane's bytes; lane i's are i * stride further
    std::uint32_t stride = 0;
    std::uint32_t bytes = 0;
  };
  bool direct = false;
  ptx::FunctionId callee = 0;  // of direct calls; indirect ones have the address in Step::a
  std::vector<Argument> returns;
  std::vector<Argument> arguments;
};

// A .param symbol of a device function or a call sequence: `stride` bytes a lane in the frame.
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
  // The address of a local variable, known only when a thread enters the function.
  struct LocalAddress {
    std::uint64_t offset = 0;  // from the start of the function's part of local memory
    Slot slot = 0;
    std::uint32_t bytes = 0;
  };

  struct Range {
    Slot slot = 0;
    std::uint32_t bytes = 0;
  };

  const ptx::Function* function = nullptr;
  ptx::FunctionId id = 0;
  std::string error;  // why it cannot be executed; empty where it can
  std::uint32_t error_instruction = 0;
  std::vector<std::string> refusals;  // why instructions cannot be: Step::data of those
  std::vector<Slot> register_slots;   // by ptx::RegisterId
  std::vector<Step> steps;            // one an instruction, at the same index
  std::vector<CodeBlock> blocks;
  std::vector<std::vector<BlockId>> tables;  // of brx.idx
  std::vector<MemoryInfo> memory;
  std::vector<Step> extra;  // second accesses of instructions that have two: cp.async
  std::vector<MatrixInfo> matrices;
  std::vector<TextureInfo> textures;
  std::vector<CallInfo> calls;
  std::vector<ParamArea> returns, parameters;  // of a device function
  // The frame: registers and parameter areas, then from constants_begin on what is filled in before
  // the function runs: immediates, and special registers and local addresses as listed.
  std::uint32_t constants_begin = 0;
  std::uint32_t frame_bytes = 0;
  std::vector<std::byte> constants;  // frame_bytes - constants_begin
  std::vector<Special> specials;
  std::vector<LocalAddress> local_addresses;
  std::vector<Range> read_before_written;  // registers that get poison on entry
  std::uint32_t local_bytes = 0;           // a thread
  std::uint32_t live_registers = 0;        // most 32-bit registers live at once
};

}  // namespace warpcheck::emulator
