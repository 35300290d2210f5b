// Where the results of each instruction of a function come from: what a checker needs to follow
// values. Static, made once for a function.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/code/program.h"
#include "emulator/code/step.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

// Taint: which lanes' values come from memory that nothing has written. It lies behind the
// registers in a function's frame, one entry for each 32 bytes of it, so that it needs no care of
// its own where frames come and go. A register's entry is that of its slot; a parameter area's are
// one for each byte of a lane, as the area has 32 bytes, one a lane, for each.

struct Taint {
  LaneMask lanes = 0;
  std::uint32_t origin =
      0;  // of those lanes' values: see initialisation.h; the latest where they differ
};

inline void SetTaint(Taint& to, const Taint& value, LaneMask lanes) {
  to.lanes = (to.lanes & ~lanes) | (value.lanes & lanes);
  if ((value.lanes & lanes) != 0) to.origin = value.origin;
}

inline constexpr std::uint32_t kTaintUnit = 32;  // bytes of a frame; every slot is a multiple

using TaintIndex = std::uint32_t;  // slot / kTaintUnit

inline TaintIndex TaintOf(Slot slot) { return slot / kTaintUnit; }

// Bytes that a function's frame needs for it, and where it begins; a frame is aligned to 64.
inline std::uint64_t TaintBytes(const Program& program) {
  return program.frame_bytes / kTaintUnit * sizeof(Taint);
}
inline Taint* TaintsIn(std::byte* frame, const Program& program) {
  return reinterpret_cast<Taint*>(frame + program.frame_bytes);
}

struct Flow {
  enum class Kind : std::uint8_t {
    kEachLane,   // each lane's results come from its own sources
    kShuffle,    // from the first source of another lane
    kTogether,   // from the sources of all lanes: vote, match, redux, matrices
    kMemory,     // from memory, which the events of the access tell of; sources are addresses
    kLoadArea,   // from bytes of a parameter area: sources, `bytes` for each destination
    kStoreArea,  // to bytes of a parameter area: destinations, `bytes` for each source
  };
  Kind kind = Kind::kEachLane;
  bool reads_carry = false;
  bool writes_carry = false;
  std::uint32_t bytes = 0;
  std::vector<TaintIndex> destinations;
  std::vector<TaintIndex> sources;
  std::vector<TaintIndex> stored;  // of kMemory: values that go to memory

  // What may hold anything without a change of the results (initialisation_decided.cc).

  // A bit for each source that chooses or is chosen: each bit of it, or the predicate, comes into
  // the results as it is, or not at all, as the other sources have it: and, or, selp, shifts.
  std::uint32_t bitwise = 0;
  bool product = false;  // of integers, the first two sources: 0 if one of them is
  ptx::BoolOp joins = ptx::BoolOp::kNone;  // setp and set: how they join the third source
  // Bytes a lane, 0 for a predicate. Only where one of the three above is set.
  std::vector<std::uint32_t> source_bytes;
  std::vector<std::uint32_t> destination_bytes;

  bool may_be_decided() const { return bitwise != 0 || product || joins != ptx::BoolOp::kNone; }
};

// One for each instruction, by its index.
std::vector<Flow> FlowsOf(const Program& program);

}  // namespace warpcheck::emulator
