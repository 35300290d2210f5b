// Sees what warps do while a kernel runs: races, traces and other checkers are observers. Events
// are a warp's, complete, and cost nothing when nobody watches.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/source_location.h"
#include "device/types.h"
#include "ptx/types.h"

namespace warpcheck::emulator {

struct WarpPlace {
  Dim3 block;              // blockIdx
  std::uint32_t warp = 0;  // in its block
  SourceLocation where;    // the student's line
};

struct AccessEvent {
  WarpPlace place;
  enum class Kind : std::uint8_t { kLoad, kStore, kAtomic } kind = Kind::kLoad;
  ptx::Space space = ptx::Space::kGeneric;  // as the instruction says
  std::uint32_t mask = 0;
  std::uint32_t bytes = 0;                       // a lane
  std::span<const std::uint64_t, 32> addresses;  // in the instruction's space; valid in the call
};

struct BranchEvent {
  WarpPlace place;
  std::uint32_t active = 0;
  std::uint32_t taken = 0;
};

struct BarrierEvent {
  WarpPlace place;
  std::uint32_t mask = 0;
  std::uint32_t barrier = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnLaunchBegin(std::string_view /*kernel*/, const Dim3& /*grid*/,
                             const Dim3& /*block*/) {}
  virtual void OnLaunchEnd() {}
  virtual void OnBlockBegin(const Dim3& /*block*/) {}
  virtual void OnBlockEnd(const Dim3& /*block*/) {}
  virtual void OnAccess(const AccessEvent&) {}
  virtual void OnBranch(const BranchEvent&) {}  // divergent ones
  virtual void OnBarrier(const BarrierEvent&) {}
};

}  // namespace warpcheck::emulator
