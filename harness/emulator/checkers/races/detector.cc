#include "emulator/checkers/races/detector.h"

#include "emulator/core/observer.h"
#include "emulator/core/stored_values.h"

namespace warpcheck::emulator {

Race RaceDetector::RaceOf(const RaceAccess& access, std::uint32_t lane,
                          const Earlier& earlier) const {
  const AccessEvent& event = *access.event;
  const BlockClock& clock = clock_.Of(*event.warp.block);
  Race race;
  race.now.thread = {clock.number, (access.id + lane) & kThreadMask};
  race.before.thread = {clock.number, earlier.id & kThreadMask};
  if (access.memory == MemoryKind::kGlobal && earlier.epoch < clock.begin) {
    race.before.thread.block = clock_.BlockAt(earlier.epoch);
  }
  race.now.block = event.warp.block->index;
  race.before.block = clock_.IndexOf(race.before.thread.block);
  race.now.instruction = InstructionIn(access.id);
  race.before.instruction = InstructionIn(earlier.id);
  race.now.writes = access.writes;
  race.before.writes = earlier.wrote;
  race.now.strength = StrengthOf(access.id);
  race.before.strength = StrengthOf(earlier.id);
  race.memory = access.memory;
  race.address = (*access.addresses)[lane];
  race.bytes = access.bytes;
  race.copy_state = earlier.copy_state;
  race.later_groups = earlier.later_groups;
  race.event = &event;
  race.lane = lane;
  return race;
}

bool RaceDetector::ReportIfRace(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
                                const Earlier& earlier) {
  const BlockClock& clock = clock_.Of(*access.event->warp.block);
  const Race race = RaceOf(access, lane, earlier);
  const ThreadId& now = race.now.thread;
  const ThreadId& before = race.before.thread;
  if (before.block == now.block &&
      RaceClock::Ordered(clock, before.thread, earlier.epoch, now.thread)) {
    return false;
  }
  if (BothSynchronise(access, clock, earlier, race) || flags_.Ordered(before, earlier.epoch, now)) {
    return false;
  }
  Report(access, lane, address, earlier);
  return true;
}

void RaceDetector::Report(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
                          const Earlier& earlier) {
  const AccessEvent& event = *access.event;
  Race race = RaceOf(access, lane, earlier);
  if (earlier.wrote && access.writes && !race.now.IsCopy() && !race.before.IsCopy()) {
    race.at_once = AtOnce(access, lane, address, earlier.epoch, race.before);
    race.same_value =
        race.at_once
            ? StoreSame(event, lane, race.before.thread.lane())
            : StoresWhatIsThere(event, lane, event.host + (event.addresses[lane] - event.begin));
  }
  report_.Add(race);
}

bool RaceDetector::BothSynchronise(const RaceAccess& access, const BlockClock& clock,
                                   const Earlier& earlier, const Race& race) {
  const Strength one = StrengthOf(access.id);
  const Strength other = StrengthOf(earlier.id);
  if (IsWeak(one) || IsWeak(other)) return false;
  if (one == Strength::kAtomic || other == Strength::kAtomic) return true;
  const ThreadId& now = race.now.thread;
  const ThreadId& before = race.before.thread;
  if (access.memory == MemoryKind::kGlobal &&
      (now.block != before.block || now.warp() != before.warp())) {
    return true;
  }
  if (now.warp() == before.warp()) return false;
  return clock.warp_fence[(earlier.wrote ? before : now).warp()] != 0;
}

bool RaceDetector::AtOnce(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
                          Epoch epoch, const RacingAccess& before) const {
  const AccessEvent& event = *access.event;
  const std::uint32_t other = before.thread.lane();
  return epoch == clock_.now() && before.instruction == InstructionIn(access.id) &&
         before.thread.warp() == event.warp.index && other < lane &&
         ((event.mask >> other) & 1U) != 0 && event.addresses[other] <= address &&
         address - event.addresses[other] < event.info.bytes;
}

}  // namespace warpcheck::emulator
