// Looks at the cells of what an access touches: compares it with the accesses before it, and notes
// it. What may conflict is left to a judge.
#pragma once

#include "emulator/checkers/race_access.h"
#include "emulator/checkers/race_judge.h"

namespace warpcheck::emulator {

class RaceLook {
 public:
  explicit RaceLook(RaceJudge& judge) : judge_(judge) {}

  void Look(const RaceAccess& access, ShadowStretch& shadow);

 private:
  // `lanes` lanes from `lane` on, each next to the one before.
  void LookAtRows(const RaceAccess& access, ShadowStretch& shadow, std::uint32_t lane,
                  std::uint32_t lanes);
  // `base`: the address of `first`, the row's first lane.
  void LookAtRow(const RaceAccess& access, ShadowPage& page, const CellRow& row,
                 std::uint32_t first, std::uint64_t base);
  void LookAtLane(const RaceAccess& access, ShadowStretch& shadow, std::uint32_t lane);
  void LookAtCell(const RaceAccess& access, ShadowPage& page, std::uint32_t cell,
                  std::uint32_t lane, std::uint64_t address);

  RaceJudge& judge_;
};

}  // namespace warpcheck::emulator
