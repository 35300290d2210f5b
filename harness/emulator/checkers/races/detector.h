// The detector decides whether two accesses of the same bytes race, and reports those that do. They
// race unless something orders them, or they are morally strong (report/race.h).
#pragma once

#include "emulator/checkers/races/clock.h"
#include "emulator/checkers/races/flags.h"
#include "emulator/checkers/races/report/report.h"
#include "emulator/checkers/races/shadow/cells.h"
#include "emulator/checkers/races/signals.h"

namespace warpcheck::emulator {

// The earlier of two accesses, with the data that the access history has of it.
struct Earlier {
  Epoch epoch = 0;
  AccessId id = 0;
  bool wrote = false;
  CopyState copy_state = CopyState::kNone;
  std::uint32_t later_groups = 0;  // as in Race
};

class RaceDetector {
 public:
  // All arguments must outlive the detector.
  RaceDetector(RaceClock& clock, RaceFlags& flags, RaceSignals& signals, RaceReport& report)
      : clock_(clock), flags_(flags), signals_(signals), report_(report) {}

  // Reports a race if `earlier` and the access of `lane` race, and returns whether they do.
  // `address` is an address that both access; it may lie inside of what the lane accesses.
  bool ReportIfRace(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
                    const Earlier& earlier);
  // Returns true if strong accesses of this launch may rely on an order among them.
  bool ChecksStrong() const { return signals_.active(); }
  // Reports a race of two accesses that are known to be unordered.
  void Report(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
              const Earlier& earlier);

 private:
  Race RaceOf(const RaceAccess& access, std::uint32_t lane, const Earlier& earlier) const;
  // True if both are strong, and nothing about them mismatches. Else sets race.mismatch if both are
  // strong.
  bool MorallyStrong(const RaceAccess& access, const BlockClock& clock, Race& race) const;
  // True if `now` relies on an order of two morally strong accesses that its thread has only learnt
  // of, by a flag (Race::relies). An access that only reads gets race.now.writes = false.
  bool Relies(Epoch earlier, Race& race) const;
  // True if both are volatile accesses of different warps, by which one waits for the other.
  static bool AreVolatileFlag(const RaceAccess& access, const BlockClock& clock, const Race& race);
  void Report(const RaceAccess& access, std::uint32_t lane, std::uint64_t address, Epoch earlier,
              Race race);
  // True if the thread of `now` has learnt, by a flag, of a later write of the thread of `before`,
  // which wrote at epoch `earlier` (RaceSignals::Tells).
  bool HasLearnt(const Race& race, Epoch earlier, bool unreleased) const;
  // True if the block of `now` has learnt of a later write of the block of `before`, which was made
  // at epoch `earlier`, without a fence between the two (Race::signalled).
  bool IsSignalled(const Race& race, Epoch earlier) const;
  // True if both are lanes of one store, so that memory does not have the other's value yet.
  bool AtOnce(const RaceAccess& access, std::uint32_t lane, std::uint64_t address, Epoch epoch,
              const RacingAccess& before) const;

  RaceClock& clock_;
  RaceFlags& flags_;
  RaceSignals& signals_;
  RaceReport& report_;
};

}  // namespace warpcheck::emulator
