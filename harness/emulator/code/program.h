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

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/code/matrix_layout.h"
#include "emulator/code/shared_variables.h"
#include "emulator/code/step.h"
#include "ptx/module.h"
#include "ptx/shapes.h"

namespace warpcheck::emulator {

// The most local memory that a thread may have, as on the GPU: functions that it is in, together.
inline constexpr std::uint64_t kMaxLocalBytes = std::uint64_t{512} << 10;

// What a texture or surface instruction does; Step::data names one in Program::textures.

// What becomes of a surface access outside (PTX ISA, "suld").
enum class SurfaceEdge : std::uint8_t { kTrap, kClamp, kZero };

// What txq and suq ask for.
enum class TextureQuery : std::uint8_t {
  kWidth,
  kHeight,
  kDepth,
  kLayers,
  kNormalizedCoordinates,
  kOne,  // mipmap levels, samples
};

struct TextureInfo {
  ptx::TextureGeometry geometry;
  bool is_surface = false;
  bool by_index = false;  // tex with coordinates of .s32
  int gathered = -1;      // the channel that tld4 takes from four texels; -1: other instructions
  bool writes = false;    // sust
  SurfaceEdge edge = SurfaceEdge::kTrap;
  TextureQuery query = TextureQuery::kWidth;
  Slot layer = 0;                        // u32; where the geometry is layered
  std::array<Slot, 3> coordinates = {};  // f32 or s32; of the geometry's dimensions
  std::array<Slot, 4> values = {};       // registers of a texel's channels
  std::uint32_t elements = 0;            // of `values`
  std::uint32_t register_bytes = 4;      // of each of them
};

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
  // All lanes where a step has a mask of members, which lanes on other paths may belong to.
  LaneMask meeting = 0;
};

// What an access orders (PTX ISA, "Memory Consistency Model"). Atomics are at least relaxed.
enum class MemoryOrder : std::uint8_t {
  kWeak,
  kVolatile,
  kRelaxed,
  kAcquire,
  kRelease,
  kAcquireRelease,
};

// The threads for which an order holds.
enum class MemoryScope : std::uint8_t { kBlock, kDevice, kSystem };

// How an access enters the counters (docs/counters.md).
enum class Counting : std::uint8_t {
  kAccess,      // as loads, stores and atomics of 32 lanes
  kMatrixRows,  // ldmatrix, stmatrix: rows of 16 bytes, eight to a wavefront
  kCopy,        // cp.async, which counts its two sides together (instructions/async.cc)
  kTexture,     // tex, suld, sust: where the texels' addresses are known (access/texture_access.h)
  kBarrier,     // mbarrier: 8 bytes a lane, where lanes name several or give numbers
  kNothing,     // cp.async.bulk: another unit of the GPU does it
};

// A side of an asynchronous copy: an access that lasts until somebody has waited for the copy.
enum class AsyncCopy : std::uint8_t {
  kNone,
  kByLane,        // cp.async: each lane waits for its own copies, or lets an mbarrier say it
  kBulkToShared,  // cp.async.bulk: an mbarrier says when it is done
  kBulkToGlobal,  // cp.async.bulk: the lane that made it waits
};

// What a memory instruction does; one entry each, which Step::memory names.
struct MemoryInfo {
  enum class Kind : std::uint8_t { kLoad, kStore, kAtomic, kReduction };
  Kind kind = Kind::kLoad;
  MemoryOrder order = MemoryOrder::kWeak;
  MemoryScope scope = MemoryScope::kDevice;
  Counting counting = Counting::kAccess;
  AsyncCopy copy = AsyncCopy::kNone;
  bool mbarrier = false;  // the access is to one, which the observers hear of by itself
  // An atomic with or without a result, whose lanes wait for each other where they have one address
  // in shared memory.
  bool takes_turns = false;
  ptx::Space space = ptx::Space::kGeneric;
  std::uint32_t instruction = 0;    // index in the function
  std::uint32_t bytes = 0;          // a lane, all elements together
  std::uint32_t address_bytes = 8;  // of the address register: 4 or 8
  // Where an access to shared memory belongs: to the variables that its address was made from.
  SharedRange shared = {};
  // Of loads and stores: registers of the elements of a vector, and their width. No elements:
  // values that lie in no registers (cp.async).
  std::array<Slot, 8> values = {};
  std::uint32_t elements = 0;
  std::uint32_t register_bytes = 0;
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
