#include "emulator/checkers/race_judge.h"

#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// Who the two are, and what they do.
Race RaceJudge::RaceOf(const RaceAccess& access, std::uint32_t lane, const Earlier& earlier) const {
  const AccessEvent& event = *access.event;
  const BlockClock& clock = clock_.Of(*event.warp.block);
  Race race;
  race.now.thread = {clock.number, (access.who + lane) & kThreadMask};
  race.before.thread = {clock.number, earlier.who & kThreadMask};
  if (access.memory == MemoryKind::kGlobal && earlier.stamp < clock.begin) {
    race.before.thread.block = clock_.BlockAt(earlier.stamp);
  }
  race.now.block = event.warp.block->index;
  race.before.block = clock_.IndexOf(race.before.thread.block);
  race.now.place = PlaceOf(access.who);
  race.before.place = PlaceOf(earlier.who);
  race.now.writes = access.writes;
  race.before.writes = earlier.wrote;
  race.now.strength = StrengthOf(access.who);
  race.before.strength = StrengthOf(earlier.who);
  race.memory = access.memory;
  race.address = (*access.addresses)[lane];
  race.bytes = access.bytes;
  race.under_way = earlier.under_way;
  race.event = &event;
  race.lane = lane;
  return race;
}

bool RaceJudge::IsRace(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
                       const Earlier& earlier) {
  const BlockClock& clock = clock_.Of(*access.event->warp.block);
  const Race race = RaceOf(access, lane, earlier);
  const ThreadId& now = race.now.thread;
  const ThreadId& before = race.before.thread;
  if (before.block == now.block &&
      RaceClock::Ordered(clock, before.thread, earlier.stamp, now.thread)) {
    return false;
  }
  if (MeantToMeet(access, clock, earlier, race) || flags_.Ordered(before, earlier.stamp, now)) {
    return false;
  }
  Report(access, lane, address, earlier);
  return true;
}

void RaceJudge::Report(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
                       const Earlier& earlier) {
  const AccessEvent& event = *access.event;
  Race race = RaceOf(access, lane, earlier);
  if (earlier.wrote && access.writes && !race.now.IsCopy() && !race.before.IsCopy()) {
    race.at_once = AtOnce(access, lane, address, earlier.stamp, race.before);
    race.same_value =
        race.at_once
            ? StoreSame(event, lane, race.before.thread.lane())
            : StoresWhatIsThere(event, lane, event.host + (event.addresses[lane] - event.begin));
  }
  report_.Add(race);
}

// Two atomics, or volatile accesses that are meant for each other.
bool RaceJudge::MeantToMeet(const RaceAccess& access, const BlockClock& clock,
                            const Earlier& earlier, const Race& race) {
  const Strength one = StrengthOf(access.who);
  const Strength other = StrengthOf(earlier.who);
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

// Whether both are lanes of one store: memory does not have the other's value yet.
bool RaceJudge::AtOnce(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
                       Stamp stamp, const Racer& before) const {
  const AccessEvent& event = *access.event;
  const std::uint32_t other = before.thread.lane();
  return stamp == clock_.now() && before.place == PlaceOf(access.who) &&
         before.thread.warp() == event.warp.index && other < lane &&
         ((event.mask >> other) & 1U) != 0 && event.addresses[other] <= address &&
         address - event.addresses[other] < event.info.bytes;
}

}  // namespace warpcheck::emulator
