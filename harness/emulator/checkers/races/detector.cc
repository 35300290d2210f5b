#include "emulator/checkers/races/detector.h"

#include <utility>

#include "emulator/core/observer.h"
#include "emulator/core/stored_values.h"

namespace warpcheck::emulator {
namespace {

// Returns the number of bytes that an access touches as one: the bytes of an element, if it is a
// vector or a packed pair (PTX ISA, "Vector Data-types" and "Packed Data-types" of the memory
// model).
std::uint32_t BytesAtOnce(const InstructionNumbers::Instruction& one) {
  const MemoryInfo& info = *one.info;
  if (info.elements > 1) return info.bytes / info.elements;
  const ptx::Type type = one.program->function->body[info.instruction].modifiers.type;
  const bool packed = type == ptx::Type::kF16x2 || type == ptx::Type::kBf16x2;
  return packed ? info.bytes / 2 : info.bytes;
}

ptx::Atomic OperationOf(const InstructionNumbers::Instruction& one) {
  return one.program->function->body[one.info->instruction].modifiers.atomic;
}

// True for a write that sets a value whatever was there, and does not ask for what was there.
bool Replaces(const InstructionNumbers::Instruction& one) {
  return one.info->kind == MemoryInfo::Kind::kStore ||
         (one.info->kind == MemoryInfo::Kind::kReduction && OperationOf(one) == ptx::Atomic::kExch);
}

// True for an atomic that makes its new value from what is there, and does not take a lock.
bool Updates(const InstructionNumbers::Instruction& one) {
  const auto kind = one.info->kind;
  if (kind != MemoryInfo::Kind::kAtomic && kind != MemoryInfo::Kind::kReduction) return false;
  const ptx::Atomic operation = OperationOf(one);
  return operation != ptx::Atomic::kExch && operation != ptx::Atomic::kCas;
}

}  // namespace

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
  race.met = race.now.thread.block == race.before.thread.block && earlier.epoch < clock.floor;
  race.event = &event;
  race.lane = lane;
  return race;
}

bool RaceDetector::ReportIfRace(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
                                const Earlier& earlier) {
  const BlockClock& clock = clock_.Of(*access.event->warp.block);
  Race race = RaceOf(access, lane, earlier);
  const ThreadId& now = race.now.thread;
  const ThreadId& before = race.before.thread;
  if (before.block == now.block &&
      RaceClock::Ordered(clock, before.thread, earlier.epoch, now.thread)) {
    return false;
  }
  if (MorallyStrong(access, clock, race)) {
    if (!Relies(earlier.epoch, race)) return false;
    race.relies = true;
  } else if (report_.IsVerified(race)) {
    return false;
  }
  if (race.mismatch == Mismatch::kVolatile && !access.writes && race.before.writes &&
      HasLearnt(race, earlier.epoch, true) && !report_.IsJudgedByItself(race.now)) {
    race.mismatch = Mismatch::kNone;
  }
  // A note is told once: polls of a flag are many.
  if (race.mismatch == Mismatch::kVolatile && report_.IsTold(race)) return false;
  if (flags_.Ordered(before, earlier.epoch, now, clock)) return false;
  Report(access, lane, address, earlier.epoch, race);
  return true;
}

void RaceDetector::Report(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
                          const Earlier& earlier) {
  Report(access, lane, address, earlier.epoch, RaceOf(access, lane, earlier));
}

void RaceDetector::Report(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
                          Epoch earlier, Race race) {
  const AccessEvent& event = *access.event;
  race.signalled = IsSignalled(race, earlier);
  if (race.before.writes && access.writes && !race.now.IsCopy() && !race.before.IsCopy()) {
    race.at_once = AtOnce(access, lane, address, earlier, race.before);
    race.same_value =
        race.at_once
            ? StoreSame(event, lane, race.before.thread.lane())
            : StoresWhatIsThere(event, lane, event.host + (event.addresses[lane] - event.begin));
  }
  report_.Add(race);
}

bool RaceDetector::MorallyStrong(const RaceAccess& access, const BlockClock& clock,
                                 Race& race) const {
  const Strength one = race.now.strength;
  const Strength other = race.before.strength;
  if (IsWeak(one) || IsWeak(other)) return false;
  if (one == Strength::kVolatile && other == Strength::kVolatile) {
    if (AreVolatileFlag(access, clock, race)) race.mismatch = Mismatch::kVolatile;
    return false;
  }
  const InstructionNumbers::Instruction now = report_.instructions().At(race.now.instruction);
  const InstructionNumbers::Instruction before = report_.instructions().At(race.before.instruction);
  const auto in_block = [](const InstructionNumbers::Instruction& access_of) {
    return access_of.info->scope == MemoryScope::kBlock;
  };
  if (race.now.thread.block != race.before.thread.block && (in_block(now) || in_block(before))) {
    race.mismatch = Mismatch::kScope;
  } else if (BytesAtOnce(now) != BytesAtOnce(before)) {
    race.mismatch = one == Strength::kAtomic && other == Strength::kAtomic ? Mismatch::kSize
                                                                           : Mismatch::kVolatile;
  }
  return race.mismatch == Mismatch::kNone;
}

bool RaceDetector::Relies(Epoch earlier, Race& race) const {
  if (!signals_.active() || !race.before.writes || report_.OnlyReads(race.before.instruction))
    return false;
  if (report_.OnlyReads(race.now.instruction)) {
    // The fence of a reader that polls by volatile loads is not asked for.
    const bool unreleased = race.now.strength == Strength::kVolatile;
    if (!HasLearnt(race, earlier, unreleased) || report_.IsJudgedByItself(race.now)) return false;
    race.now.writes = false;
    return true;
  }
  return Replaces(report_.instructions().At(race.before.instruction)) &&
         Updates(report_.instructions().At(race.now.instruction)) && HasLearnt(race, earlier, true);
}

bool RaceDetector::HasLearnt(const Race& race, Epoch earlier, bool unreleased) const {
  const std::uint64_t flag = race.memory == MemoryKind::kShared
                                 ? RaceFlags::SharedName(race.now.thread.block, race.address)
                                 : RaceFlags::GlobalName(race.address);
  return signals_.Tells(race.before.thread, earlier, race.now.thread, flag, unreleased);
}

bool RaceDetector::AreVolatileFlag(const RaceAccess& access, const BlockClock& clock,
                                   const Race& race) {
  const ThreadId& now = race.now.thread;
  const ThreadId& before = race.before.thread;
  if (now.block == before.block && now.warp() == before.warp()) return false;
  if (access.memory == MemoryKind::kGlobal) return true;
  return clock.warp_fence[(race.before.writes ? before : now).warp()] != 0;
}

bool RaceDetector::IsSignalled(const Race& race, Epoch earlier) const {
  return race.before.writes && race.memory == MemoryKind::kGlobal &&
         race.before.thread.block != race.now.thread.block && HasLearnt(race, earlier, true);
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
