#include "emulator/race_checker.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <unordered_map>

#include "emulator/launch.h"
#include "emulator/race_cells.h"
#include "emulator/race_clock.h"
#include "emulator/race_flags.h"
#include "emulator/race_report.h"
#include "emulator/read_log.h"
#include "emulator/stored_value.h"

namespace warpcheck::emulator {
namespace {

// How strong an access is, as a Who has it.
enum class Strength : std::uint8_t { kWeak, kVolatile, kAtomic };

Strength StrengthOf(MemoryOrder order) {
  return order == MemoryOrder::kWeak       ? Strength::kWeak
         : order == MemoryOrder::kVolatile ? Strength::kVolatile
                                           : Strength::kAtomic;
}
Strength StrengthOf(Who who) {
  return static_cast<Strength>(who >> kThreadBits & ((Who{1} << kStrengthBits) - 1));
}
std::uint32_t PlaceOf(Who who) { return who >> (kThreadBits + kStrengthBits); }

// One access, ready to be compared with cells.
struct Incoming {
  MemoryKind memory = MemoryKind::kShared;
  LaneMask mask = 0;
  std::uint32_t bytes = 0;
  AccessShape shape = AccessShape::kScattered;
  bool reads = false;
  bool writes = false;
  Who who = 0;  // of lane 0
  RaceWindow window;
  const LaneAddresses* addresses = nullptr;
  const AccessEvent* event =
      nullptr;  // null for a read that was put off: it conflicts with nothing
};

constexpr std::uint32_t kShortestRow = 3;  // lanes: shorter ones are quicker one by one

// The shared memory of a block while it runs.
struct SharedState {
  SharedState(ShadowPool& pool, std::uint64_t bytes) : shadow(pool, 0, bytes) {}

  ShadowStretch shadow;
  ReadLog put_off;
  bool written = false;  // since the last barrier of the whole block
};

class RaceChecker : public Observer {
 public:
  void OnLaunchBegin(Launch& launch) override {
    launch_ = &launch;
    clock_.BeginLaunch();
    flags_.Clear();
    report_.BeginLaunch(launch);
  }

  void OnLaunchEnd(Launch&) override {
    report_.EndLaunch();
    global_.clear();
    recent_ = {};
    shared_.clear();
    current_shared_ = nullptr;
    current_block_ = nullptr;
  }

  void OnBlockBegin(Block& block) override {
    clock_.BeginBlock(block);
    Forget(block);
  }
  void OnBlockEnd(Block& block) override { clock_.EndBlock(block); }

  void OnBarrier(const BarrierEvent& event) override {
    if (clock_.Barrier(event)) Forget(event.block);
  }
  void OnWarpSync(const WarpSyncEvent& event) override {
    if (event.orders_memory) clock_.WarpSync(event);
  }
  void OnFence(const FenceEvent& event) override { clock_.Fence(event); }

  void OnAccess(const AccessEvent& event) override {
    const bool shared = event.memory == MemoryKind::kShared;
    if ((!shared && event.memory != MemoryKind::kGlobal) || clock_.exhausted()) return;
    const Block& block = *event.warp.block;
    const BlockClock& clock = clock_.Of(block);
    const std::uint32_t place = report_.places().NumberOf(*event.warp.program, event.step);
    const Strength strength = StrengthOf(event.info.order);
    const Who who = place << (kThreadBits + kStrengthBits) |
                    static_cast<Who>(strength) << kThreadBits | event.warp.index * kLanes;
    const bool weak_read =
        event.info.kind == MemoryInfo::Kind::kLoad && strength == Strength::kWeak;
    if (shared && weak_read && PutOff(event, who)) return;
    Incoming access;
    access.memory = event.memory;
    access.mask = event.mask;
    access.bytes = event.info.bytes;
    access.shape = event.shape;
    access.reads = event.info.kind == MemoryInfo::Kind::kLoad;
    access.writes = !access.reads;
    access.who = who;
    access.addresses = &event.addresses;
    access.event = &event;
    access.window = WindowOf(clock, shared);
    if (strength != Strength::kWeak) {
      access.shape = AccessShape::kScattered;
      Learn(event, clock);
    }
    Look(access, shared ? Shared(block).shadow : Global(event));
    if (strength != Strength::kWeak && access.writes) Tell(event, clock);
  }

 private:
  RaceWindow WindowOf(const BlockClock& clock, bool shared) const {
    if (shared) return {clock.floor, clock.floor, clock.floor, clock_.now(), clock.number};
    return {clock_.launch_begin(), clock.begin, clock.floor, clock_.now(), clock.number};
  }

  // ---- Where shadows are ----

  SharedState& Shared(const Block& block) {
    if (current_block_ == &block) [[likely]]
      return *current_shared_;
    auto& state = shared_[&block];
    if (state == nullptr) state = std::make_unique<SharedState>(pool_, launch_->shared_bytes);
    current_block_ = &block;
    current_shared_ = state.get();
    return *state;
  }

  ShadowStretch& Global(const AccessEvent& event) {
    ShadowStretch*& recent = recent_[(event.begin >> 24) % recent_.size()];
    if (recent != nullptr && recent->begin() == event.begin) [[likely]]
      return *recent;
    auto& stretch = global_[event.begin];
    if (stretch == nullptr) {
      stretch = std::make_unique<ShadowStretch>(pool_, event.begin, event.end);
    }
    recent = stretch.get();
    return *stretch;
  }

  // All warps of the block have met: what they read before is over.
  void Forget(const Block& block) {
    if (launch_->shared_bytes == 0) return;
    SharedState& state = Shared(block);
    state.put_off.Clear();
    state.written = false;
  }

  // ---- Reads that are put off ----

  bool PutOff(const AccessEvent& event, Who who) {
    SharedState& state = Shared(*event.warp.block);
    if (state.written || !ReadLog::Takes(event.info.bytes)) return false;
    if (state.put_off.full()) {
      CatchUp(*event.warp.block, state);
      return false;
    }
    state.put_off.Add({.at = clock_.now(),
                       .who = who,
                       .mask = event.mask,
                       .bytes = event.info.bytes,
                       .shape = event.shape},
                      event.addresses);
    return true;
  }

  void CatchUp(const Block& block, SharedState& state) {
    state.written = true;
    const BlockClock& clock = clock_.Of(block);
    state.put_off.ForEach([&](const ReadLog::Read& read, const LaneAddresses& addresses) {
      Incoming access;
      access.mask = read.mask;
      access.bytes = read.bytes;
      access.shape = read.shape;
      access.reads = true;
      access.who = read.who;
      access.addresses = &addresses;
      access.window = WindowOf(clock, true);
      access.window.now = read.at;
      Look(access, state.shadow);
    });
    state.put_off.Clear();
  }

  // ---- Looking at cells ----

  void Look(const Incoming& access, ShadowStretch& shadow) {
    if (access.writes && access.memory == MemoryKind::kShared) {
      SharedState& state = Shared(*access.event->warp.block);
      if (!state.written) CatchUp(*access.event->warp.block, state);
    }
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

  // How many lanes from `lane` on take part, each `step` bytes further than the one before.
  static std::uint32_t RunFrom(const Incoming& access, std::uint32_t lane, std::uint64_t step) {
    const auto most = static_cast<std::uint32_t>(std::countr_one(access.mask >> lane));
    const std::uint64_t* address = access.addresses->data() + lane;
    std::uint32_t run = 1;
    while (run < most && address[run] - address[run - 1] == step) ++run;
    return run;
  }

  void LookAtRows(const Incoming& access, ShadowStretch& shadow, std::uint32_t lane,
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

  // `base`: the address of `first`, the row's first lane.
  void LookAtRow(const Incoming& access, ShadowPage& page, const CellRow& row, std::uint32_t first,
                 std::uint64_t base) {
    const bool suspicious = access.writes ? MayNotWriteRow(page, row, access.window)
                                          : ReadRow(page, row, access.window);
    if (suspicious) [[unlikely]] {
      for (std::uint32_t i = 0; i < row.count; ++i) {
        const std::uint32_t lane = first + ((i + row.skip) >> row.shift);
        const std::uint64_t address = base + (std::uint64_t{i + row.skip} << page.shift);
        page.Unfold(page.GroupOf(row.first + i));
        LookAtCell(access, page, row.first + i, lane, address);
      }
    }
    if (access.writes) WriteRow(page, row, access.window);
  }

  void LookAtLane(const Incoming& access, ShadowStretch& shadow, std::uint32_t lane) {
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

  void LookAtCell(const Incoming& access, ShadowPage& page, std::uint32_t cell, std::uint32_t lane,
                  std::uint64_t address) {
    const Who who = access.who + lane;
    if (access.event == nullptr) return;
    if (WrittenByOther(page, cell, who, access.window)) [[unlikely]] {
      Suspect(access, lane, address, page.written()[cell], page.writer()[cell], true);
    }
    if (!access.writes || !ReadByOther(page, cell, who, access.window)) [[likely]]
      return;
    const auto suspect = [&](Stamp stamp, Who reader) {
      if (!access.window.Suspicious(stamp, reader, who)) return false;
      return Suspect(access, lane, address, stamp, reader, false);
    };
    if (!suspect(page.read_again()[cell], page.again()[cell])) {
      suspect(page.read()[cell], page.reader()[cell]);
    }
  }

  // ---- Judging ----

  // True if it was a race, which is reported then.
  bool Suspect(const Incoming& access, std::uint32_t lane, std::uint64_t address, Stamp stamp,
               Who who, bool wrote) {
    const AccessEvent& event = *access.event;
    const BlockClock& clock = clock_.Of(*event.warp.block);
    Race race;
    race.now.thread = {clock.number, (access.who + lane) & kThreadMask};
    race.before.thread = {clock.number, who & kThreadMask};
    if (access.memory == MemoryKind::kGlobal && stamp < clock.begin) {
      race.before.thread.block = clock_.BlockAt(stamp);
    }
    const ThreadId& now = race.now.thread;
    const ThreadId& before = race.before.thread;
    if (before.block == now.block && RaceClock::Ordered(clock, before.thread, stamp, now.thread)) {
      return false;
    }
    if (MeantToMeet(access, clock, who, race, wrote) || flags_.Ordered(before, stamp, now)) {
      return false;
    }
    race.now.block = event.warp.block->index;
    race.before.block = clock_.IndexOf(before.block);
    race.now.place = PlaceOf(access.who);
    race.before.place = PlaceOf(who);
    race.now.writes = access.writes;
    race.before.writes = wrote;
    race.now.strong = StrengthOf(access.who) != Strength::kWeak;
    race.before.strong = StrengthOf(who) != Strength::kWeak;
    race.memory = access.memory;
    race.address = (*access.addresses)[lane];
    race.bytes = access.bytes;
    race.same_value =
        wrote && access.writes && SameValue(access, lane, address, stamp, race.before);
    report_.Add(race);
    return true;
  }

  // Two atomics, or volatile accesses that are meant for each other.
  static bool MeantToMeet(const Incoming& access, const BlockClock& clock, Who who,
                          const Race& race, bool wrote) {
    const Strength one = StrengthOf(access.who);
    const Strength other = StrengthOf(who);
    if (one == Strength::kWeak || other == Strength::kWeak) return false;
    if (one == Strength::kAtomic || other == Strength::kAtomic) return true;
    if (access.memory == MemoryKind::kGlobal &&
        (race.now.thread.block != race.before.thread.block ||
         race.now.thread.warp() != race.before.thread.warp())) {
      return true;
    }
    if (race.now.thread.warp() == race.before.thread.warp()) return false;
    const ThreadId& writer = wrote ? race.before.thread : race.now.thread;
    return clock.warp_fence[writer.warp()] != 0;
  }

  // Whether the store of `lane` writes what `before` wrote there.
  bool SameValue(const Incoming& access, std::uint32_t lane, std::uint64_t address, Stamp stamp,
                 const Racer& before) const {
    const AccessEvent& event = *access.event;
    const std::uint32_t other = before.thread.lane();
    // Lanes of one store: memory does not have the other's value yet.
    const bool at_once = stamp == clock_.now() && before.place == PlaceOf(access.who) &&
                         before.thread.warp() == event.warp.index && other < lane &&
                         ((event.mask >> other) & 1U) != 0 && event.addresses[other] <= address &&
                         address - event.addresses[other] < event.info.bytes;
    if (at_once) return StoreSame(event, lane, other);
    return StoresWhatIsThere(event, lane, event.host + (event.addresses[lane] - event.begin));
  }

  // ---- Flags ----

  template <class Body>
  static void ForEachFlag(const AccessEvent& event, const BlockClock& clock, Body body) {
    for (LaneMask left = event.mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::uint64_t address = event.addresses[lane];
      body(event.memory == MemoryKind::kGlobal ? RaceFlags::GlobalName(address)
                                               : RaceFlags::SharedName(clock.number, address),
           event.warp.index * kLanes + lane);
    }
  }

  void Learn(const AccessEvent& event, const BlockClock& clock) {
    if (event.info.kind == MemoryInfo::Kind::kStore || flags_.empty()) return;
    ForEachFlag(event, clock, [&](std::uint64_t flag, std::uint32_t thread) {
      flags_.Acquire(flag, clock.number, thread, clock_.now());
    });
  }

  void Tell(const AccessEvent& event, const BlockClock& clock) {
    const bool all = event.info.order == MemoryOrder::kRelease ||
                     event.info.order == MemoryOrder::kAcquireRelease;
    if (!all && clock.device_fence == 0 && clock.warp_fence[event.warp.index] == 0) return;
    clock_.Tick();
    ForEachFlag(event, clock, [&](std::uint64_t flag, std::uint32_t thread) {
      flags_.Release(flag, clock, thread, clock_.now(), all);
    });
    clock_.Tick();
  }

  Launch* launch_ = nullptr;
  RaceClock clock_;
  RaceFlags flags_;
  RaceReport report_;
  ShadowPool pool_;
  std::map<const Block*, std::unique_ptr<SharedState>> shared_;
  const Block* current_block_ = nullptr;
  SharedState* current_shared_ = nullptr;
  std::unordered_map<std::uint64_t, std::unique_ptr<ShadowStretch>> global_;  // by begin
  std::array<ShadowStretch*, 16> recent_ = {};
};

}  // namespace

std::unique_ptr<Observer> MakeRaceChecker() { return std::make_unique<RaceChecker>(); }

}  // namespace warpcheck::emulator
