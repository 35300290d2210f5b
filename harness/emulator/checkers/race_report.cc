#include "emulator/checkers/race_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "emulator/core/block.h"
#include "emulator/core/warp.h"
#include "emulator/record/array_text.h"
#include "emulator/record/findings.h"
#include "emulator/record/source_lines.h"

namespace warpcheck::emulator {

namespace {

template <class T>
std::string Shown(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return fmt::format("{}", value);
}

// PTX does not tell signed integers from unsigned ones where both do: they are shown as signed.
std::string Text(ptx::Type type, const std::byte* at) {
  switch (type) {
    case ptx::Type::kF32:
      return Shown<float>(at);
    case ptx::Type::kF64:
      return Shown<double>(at);
    case ptx::Type::kU8:
      return fmt::format("{}", std::to_integer<unsigned>(*at));
    case ptx::Type::kU16:
      return Shown<std::uint16_t>(at);
    case ptx::Type::kS16:
      return Shown<std::int16_t>(at);
    case ptx::Type::kU32:
    case ptx::Type::kS32:
      return Shown<std::int32_t>(at);
    case ptx::Type::kU64:
    case ptx::Type::kS64:
      return Shown<std::int64_t>(at);
    default:
      return {};
  }
}

bool IsPlain(const MemoryInfo& info) {
  return info.elements == 1 &&
         (info.kind == MemoryInfo::Kind::kLoad || info.kind == MemoryInfo::Kind::kStore);
}

std::string Text(const Dim3& at) { return fmt::format("({},{},{})", at.x, at.y, at.z); }

FindingKind KindOf(const Race& race) {
  if (race.now.IsCopy() || race.before.IsCopy()) return FindingKind::kAsyncCopyRace;
  if (race.same_value) return FindingKind::kSameValueRace;
  return race.memory == MemoryKind::kShared ? FindingKind::kSharedRace : FindingKind::kGlobalRace;
}

// The two instructions and the kind, in one number.
std::uint64_t PlacesOf(FindingKind kind, const Race& race) {
  return std::uint64_t{static_cast<std::uint8_t>(kind)} << 56 |
         std::uint64_t{race.now.place} << 32 | std::uint64_t{race.before.place} << 8 |
         std::uint64_t{race.now.writes} << 1 | std::uint64_t{race.before.writes};
}

}  // namespace

std::string ValuesText(const Race& race, const MemoryInfo* before) {
  if (race.event == nullptr || before == nullptr) return {};
  const AccessEvent& event = *race.event;
  const MemoryInfo& info = event.info;
  // Accesses of one size are aligned to it, so that they are of the same element.
  if (!IsPlain(info) || !IsPlain(*before) || info.bytes != before->bytes) return {};
  if (event.host == nullptr) return {};
  const ptx::Type type =
      event.warp.running.program->function->body[info.instruction].modifiers.type;
  const auto in_register = [&](std::uint32_t lane) {
    return event.warp.running.frame + info.values[0] + std::size_t{lane} * info.register_bytes;
  };
  const std::byte* const there = race.at_once
                                     ? in_register(race.before.thread.lane())
                                     : event.host + (event.addresses[race.lane] - event.begin);
  const std::string old = Text(type, there);
  if (old.empty()) return {};
  if (!race.now.writes) return fmt::format("; here it is read after the write, as {}", old);
  const std::string now = Text(type, in_register(race.lane));
  if (race.before.writes) return fmt::format("; here {} is written, and then {}", old, now);
  const bool poison = std::all_of(there, there + info.bytes,
                                  [](std::byte byte) { return byte == std::byte{0xFF}; });
  return poison ? fmt::format("; here it is read before {} is written", now)
                : fmt::format("; here it is read as {}, before {} is written", old, now);
}

RacePlaces::Base RacePlaces::BaseOf(const Program& program) {
  const auto known = std::ranges::find(programs_, &program, &Base::program);
  if (known != programs_.end()) return *known;
  programs_.push_back({&program, next_});
  next_ += static_cast<std::uint32_t>(program.memory.size());
  return programs_.back();
}

RacePlaces::Place RacePlaces::At(std::uint32_t number) const {
  for (const Base& base : programs_) {
    if (number >= base.base && number - base.base < base.program->memory.size()) {
      return {base.program, &base.program->memory[number - base.base]};
    }
  }
  return {};
}

void RaceReport::BeginLaunch(Launch& launch) {
  launch_ = &launch;
  places_.Clear();
  by_places_.clear();
  by_lines_.clear();
}

SourceLocation RaceReport::Where(const Racer& racer) const {
  const auto [program, info] = places_.At(racer.place);
  return program == nullptr ? SourceLocation() : PlaceOf(*launch_, *program, info->instruction);
}

SourceLocation RaceReport::Caller(const Racer& racer) const {
  const auto [program, info] = places_.At(racer.place);
  return program == nullptr ? SourceLocation() : CallerOf(*launch_, *program, info->instruction);
}

// The lines that lead to an access, the kernel's first.
RaceReport::CodeLines RaceReport::Lines(const Racer& racer) const {
  const RacePlaces::Place place = places_.At(racer.place);
  if (place.program == nullptr) return {};
  std::vector<SourceLocation> lines = LinesTo(*launch_, *place.program, place.info->instruction);
  for (SourceLocation& line : lines) line.column = 0;
  return lines;
}

// "thread (5,0,0)", with its block where there are two.
std::string RaceReport::Thread(const Racer& racer, const Race& race) const {
  std::string text = "thread " + Text(PositionIn(launch_->request->block, racer.thread.thread));
  if (race.now.thread.block != race.before.thread.block) text += " of block " + Text(racer.block);
  return text;
}

// Who accesses. Whose copy it is, is not known where an mbarrier has told of its end.
std::string RaceReport::Doer(const Racer& racer, const Race& race) const {
  if (!racer.IsCopy()) return Thread(racer, race);
  const MemoryInfo* info = places_.At(racer.place).info;
  const bool known = info != nullptr &&
                     (info->copy != AsyncCopy::kBulkToShared || race.under_way != UnderWay::kNot);
  return known ? "an asynchronous copy of " + Thread(racer, race) : "an asynchronous copy";
}

std::string RaceReport::Message(const Racer& told, const Racer& other, const Race& race,
                                const std::string& missing) const {
  const auto verb = [&](const Racer& racer) {
    if (!racer.writes) return "reads";
    const MemoryInfo* info = places_.At(racer.place).info;
    const bool updates = info != nullptr && (info->kind == MemoryInfo::Kind::kAtomic ||
                                             info->kind == MemoryInfo::Kind::kReduction);
    return updates ? "updates" : "writes";
  };
  const SourceLocation here = Where(told);
  const SourceLocation there = Where(other);
  const bool same = there.line == here.line && there.file == here.file;
  std::string text =
      fmt::format("{} {} {}, which {} {} at {}{}", Doer(told, race), verb(told),
                  ElementText(*launch_, race.memory, race.address, race.bytes), Doer(other, race),
                  verb(other), same ? "this line" : LineText(there, here), missing);
  if (race.same_value) return text + "; the value is the same";
  return text + ValuesText(race, places_.At(race.before.place).info);
}

RaceReport::Apart RaceReport::ApartOf(const Race& race) {
  const ThreadId& now = race.now.thread;
  const ThreadId& before = race.before.thread;
  return now.block != before.block     ? Apart::kInGrid
         : now.warp() != before.warp() ? Apart::kInBlock
                                       : Apart::kInWarp;
}

// Told is the line that reads, or the later one of two that write: the same line in whatever order
// warps ran.
void RaceReport::Tell(FindingKind kind, const Race& race) {
  const bool swap =
      race.now.writes && (!race.before.writes || Where(race.now) < Where(race.before));
  const Racer& told = swap ? race.before : race.now;
  const Racer& other = swap ? race.now : race.before;
  SourceLocation where = Where(told);
  std::vector<Finding>& findings = launch_->record.findings;
  Key key{kind, Lines(told), Lines(other)};
  auto found = by_lines_.find(key);
  if (found == by_lines_.end()) {
    if (IsFull(*launch_, kind)) {
      by_places_[PlacesOf(kind, race)] = nullptr;
      return;
    }
    found = by_lines_.emplace(std::move(key), Told{.index = findings.size()}).first;
    Finding finding;
    finding.kind = kind;
    finding.where = std::move(where);
    finding.other = Where(other);
    finding.kernel = launch_->record.kernel;
    finding.count = 0;
    AddFinding(*launch_, std::move(finding));
  }
  by_places_[PlacesOf(kind, race)] = &found->second;
  if (ApartOf(race) <= found->second.apart) return;
  found->second.apart = ApartOf(race);
  Remedy remedy = RemedyFor(*launch_, places_, race);
  Finding& finding = findings[found->second.index];
  finding.message = Message(told, other, race, remedy.missing);
  if (kind != FindingKind::kSameValueRace) {
    finding.gap = std::move(remedy.gap);
    finding.hint = std::move(remedy.hint);
  }
  finding.caller = Caller(told);
  finding.thread =
      ThreadPosition{told.block, PositionIn(launch_->request->block, told.thread.thread),
                     static_cast<int>(told.thread.lane())};
}

void RaceReport::Add(const Race& race) {
  const FindingKind kind = KindOf(race);
  ++(kind == FindingKind::kSameValueRace ? same_values_ : races_);
  if (launch_->stopped) return;
  const std::uint64_t places = PlacesOf(kind, race);
  const auto known = by_places_.find(places);
  if (known == by_places_.end() && by_places_.size() >= kMostPairs) {
    return CountFurther(*launch_, kind, 1);
  }
  const bool farther = known == by_places_.end() ||
                       (known->second != nullptr && known->second->apart < ApartOf(race));
  if (farther) Tell(kind, race);
  const Told* const told = by_places_[places];
  if (told == nullptr) return CountFurther(*launch_, kind, 1);
  ++launch_->record.findings[told->index].count;
}

void RaceReport::AddLimit(std::string why, std::string hint) {
  Finding finding;
  finding.kind = FindingKind::kRaceLimit;
  finding.kernel = launch_->record.kernel;
  finding.message = std::move(why);
  finding.hint = std::move(hint);
  AddFinding(*launch_, std::move(finding));
}

void RaceReport::EndLaunch() {
  std::vector<std::size_t> moot;
  for (const auto& [key, one] : by_lines_) {
    const auto& [kind, told, other] = key;
    if (kind != FindingKind::kSameValueRace) continue;
    if (by_lines_.contains({FindingKind::kSharedRace, told, other}) ||
        by_lines_.contains({FindingKind::kGlobalRace, told, other})) {
      moot.push_back(one.index);
    }
  }
  std::sort(moot.rbegin(), moot.rend());
  std::vector<Finding>& findings = launch_->record.findings;
  for (const std::size_t index : moot) {
    findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(index));
  }
}

}  // namespace warpcheck::emulator
