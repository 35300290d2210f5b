#include "emulator/checkers/race_judge.h"

#include <algorithm>
#include <bit>

#include "emulator/core/observer.h"
#include "emulator/core/stored_values.h"

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
  race.later_groups = earlier.later_groups;
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
  if (MeantToReconverge(access, clock, earlier, race) ||
      flags_.Ordered(before, earlier.stamp, now)) {
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
bool RaceJudge::MeantToReconverge(const RaceAccess& access, const BlockClock& clock,
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

namespace {

constexpr std::uint32_t kShortestRow = 3;  // lanes: shorter ones are quicker one by one

// How many lanes from `lane` on take part, each `step` bytes further than the one before.
std::uint32_t RunFrom(const RaceAccess& access, std::uint32_t lane, std::uint64_t step) {
  const auto most = static_cast<std::uint32_t>(std::countr_one(access.mask >> lane));
  const std::uint64_t* address = access.addresses->data() + lane;
  std::uint32_t run = 1;
  while (run < most && address[run] - address[run - 1] == step) ++run;
  return run;
}

}  // namespace

void RaceLook::Look(const RaceAccess& access, ShadowStretch& shadow) {
  if (access.shape == AccessShape::kContiguous) return LookAtRows(access, shadow, 0, kLanes);
  for (LaneMask left = access.mask; left != 0;) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint32_t same = access.reads ? RunFrom(access, lane, 0) : 1;
    const std::uint32_t next = same > 1 ? 1 : RunFrom(access, lane, access.bytes);
    const std::uint32_t lanes = std::max(same, next);
    if (next >= kShortestRow) {
      LookAtRows(access, shadow, lane, next);
    } else {
      // Of lanes that read one word, two stand for all.
      const std::uint32_t looked_at = same > 1 ? 2 : next;
      for (std::uint32_t i = 0; i < looked_at; ++i) LookAtLane(access, shadow, lane + i);
    }
    left &= lane + lanes == kLanes ? 0 : kAllLanes << (lane + lanes);
  }
}

void RaceLook::LookAtRows(const RaceAccess& access, ShadowStretch& shadow, std::uint32_t lane,
                          std::uint32_t lanes) {
  const std::uint64_t begin = (*access.addresses)[lane] - shadow.begin();
  const std::uint64_t end = begin + std::uint64_t{access.bytes} * lanes;
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t page_end = (at / ShadowPage::kBytes + 1) * ShadowPage::kBytes;
    const std::uint64_t stop = std::min(end, page_end);
    if (ShadowPage* page = shadow.PageAt(at, access.bytes)) {
      CellRow row;
      row.first = static_cast<std::uint32_t>(at % ShadowPage::kBytes) >> page->shift;
      row.count = static_cast<std::uint32_t>(stop - at) >> page->shift;
      row.skip = static_cast<std::uint32_t>(at - begin) >> page->shift;
      row.shift = static_cast<std::uint32_t>(std::countr_zero(access.bytes)) - page->shift;
      row.who = access.who + lane;
      LookAtRow(access, *page, row, lane, begin + shadow.begin());
    }
    at = stop;
  }
}

void RaceLook::LookAtRow(const RaceAccess& access, ShadowPage& page, const CellRow& row,
                         std::uint32_t first, std::uint64_t base) {
  const bool suspicious =
      access.writes ? WriteRow(page, row, access.window) : ReadRow(page, row, access.window);
  if (!suspicious) [[likely]]
    return;
  for (std::uint32_t i = 0; i < row.count; ++i) {
    const std::uint32_t lane = first + ((i + row.skip) >> row.shift);
    const std::uint64_t address = base + (std::uint64_t{i + row.skip} << page.shift);
    page.Unfold(page.GroupOf(row.first + i));
    LookAtCell(access, page, row.first + i, lane, address);
    if (access.writes) NoteWrite(page, row.first + i, access.who + lane, access.window);
  }
}

void RaceLook::LookAtLane(const RaceAccess& access, ShadowStretch& shadow, std::uint32_t lane) {
  const std::uint64_t address = (*access.addresses)[lane];
  const std::uint64_t offset = address - shadow.begin();
  ShadowPage* page = shadow.PageAt(offset, access.bytes);
  if (page == nullptr) return;
  const std::uint32_t first =
      static_cast<std::uint32_t>(offset % ShadowPage::kBytes) >> page->shift;
  const std::uint32_t count = access.bytes >> page->shift;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t at = address + (std::uint64_t{i} << page->shift);
    page->Unfold(page->GroupOf(first + i));
    LookAtCell(access, *page, first + i, lane, at);
    if (access.writes) {
      NoteWrite(*page, first + i, access.who + lane, access.window);
    } else {
      NoteRead(*page, first + i, access.who + lane, access.window);
    }
  }
}

void RaceLook::LookAtCell(const RaceAccess& access, ShadowPage& page, std::uint32_t cell,
                          std::uint32_t lane, std::uint64_t address) {
  const Who who = access.who + lane;
  if (access.event == nullptr) return;
  if (WrittenByOther(page, cell, who, access.window)) [[unlikely]] {
    judge_.IsRace(access, lane, address, {page.written()[cell], page.writer()[cell], true});
  }
  if (!access.writes || !ReadByOther(page, cell, who, access.window)) [[likely]]
    return;
  const auto races = [&](Stamp stamp, Who reader) {
    return access.window.Suspicious(stamp, reader, who) &&
           judge_.IsRace(access, lane, address, {stamp, reader, false});
  };
  if (!races(page.read_again()[cell], page.again()[cell])) {
    races(page.read()[cell], page.reader()[cell]);
  }
}

}  // namespace warpcheck::emulator
