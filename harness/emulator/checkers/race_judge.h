// Whether an access and an earlier one of the same bytes are a race: they are, unless something
// orders them, or they are meant for each other.
#pragma once

#include "emulator/checkers/race_cells.h"
#include "emulator/checkers/race_clock.h"
#include "emulator/checkers/race_flags.h"
#include "emulator/checkers/race_report.h"

namespace warpcheck::emulator {

// The earlier access, as its cell has it.
struct Earlier {
  Stamp stamp = 0;
  Who who = 0;
  bool wrote = false;
  UnderWay under_way = UnderWay::kNot;
  std::uint32_t later_groups = 0;  // see Race
};

class RaceJudge {
 public:
  // Used as long as this lives.
  RaceJudge(RaceClock& clock, RaceFlags& flags, RaceReport& report)
      : clock_(clock), flags_(flags), report_(report) {}

  // Of `lane` at `address`, which may lie inside of what the lane accesses. True if it is a race,
  // which is reported then.
  bool IsRace(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
              const Earlier& earlier);
  // The same where it is known that nothing orders the two.
  void Report(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
              const Earlier& earlier);

 private:
  Race RaceOf(const RaceAccess& access, std::uint32_t lane, const Earlier& earlier) const;
  static bool MeantToReconverge(const RaceAccess& access, const BlockClock& clock,
                                const Earlier& earlier, const Race& race);
  bool AtOnce(const RaceAccess& access, std::uint32_t lane, std::uint64_t address, Stamp stamp,
              const Racer& before) const;

  RaceClock& clock_;
  RaceFlags& flags_;
  RaceReport& report_;
};

// Looks at the cells of what an access touches: compares it with the accesses before it, and notes
// it. What may conflict is left to a judge.

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
