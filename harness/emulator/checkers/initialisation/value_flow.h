// ValueFlow follows undefined values through the registers of warps, lane by lane, and reports
// their use as an address or in a branch.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "emulator/checkers/initialisation/origins.h"
#include "emulator/checkers/initialisation/report.h"
#include "emulator/code/taint.h"
#include "emulator/core/observer.h"
#include "emulator/decode/flow.h"

namespace warpcheck::emulator {

class ValueFlow {
 public:
  // `origins` must outlive this object.
  explicit ValueFlow(Origins& origins) : origins_(origins) {}

  void BeginLaunch();
  // Returns the flow of each instruction of a function.
  const std::vector<Flow>& FlowsFor(const Program& program);
  // Returns the taint of all `sources` together, in these lanes.
  static Taint Gathered(const Taint* taints, std::span<const TaintIndex> sources, LaneMask lanes);

  // Clears the taints of the frame that the warp has entered.
  static void Enter(Warp& warp);
  // Each of these does the work of the ValueTracker function with the same name (core/observer.h).
  void Propagate(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes);
  void PropagateAtEnding(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes);
  void ShuffledFromNobody(Warp& warp, const Step& step, LaneMask lanes);
  // Gives the result of a barrier that combines values of its threads (bar.red) its taint.
  void MeetAtBarrier(const BarrierEvent& event);

 private:
  // Reports the lanes of `lanes` that are tainted.
  void Check(Warp& warp, const Step& step, const Taint& taint, LaneMask lanes,
             UndefinedUse use) const;
  void PropagateThroughMemory(Warp& warp, const Step& step, const Flow& flow, LaneMask lanes) const;

  Origins& origins_;
  std::map<const Program*, std::vector<Flow>> flows_;
  std::map<const Warp*, Taint> carry_;  // of the lanes whose carry is undefined
};

}  // namespace warpcheck::emulator
