#include "emulator/checkers/races/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "emulator/checkers/races/report/code_place.h"
#include "emulator/checkers/races/report/loaded_value.h"
#include "emulator/checkers/races/report/remedy.h"
#include "emulator/checkers/races/report/values_text.h"
#include "emulator/record/array_text.h"
#include "emulator/record/findings.h"
#include "emulator/record/overhead.h"
#include "emulator/record/source_lines.h"

namespace warpcheck::emulator {
namespace {

// The cost of describing two lines that race, in warp instructions.
constexpr std::uint64_t kPairCost = 2'000;

std::string Text(const Dim3& at) { return fmt::format("({},{},{})", at.x, at.y, at.z); }

FindingKind KindOf(const Race& race) {
  if (race.now.IsCopy() || race.before.IsCopy()) return FindingKind::kAsyncCopyRace;
  if (race.mismatch == Mismatch::kVolatile) return FindingKind::kVolatileRace;
  if (race.same_value) return FindingKind::kSameValueRace;
  return race.memory == MemoryKind::kShared ? FindingKind::kSharedRace : FindingKind::kGlobalRace;
}

// Packs the two instructions and the kind into one number.
std::uint64_t InstructionPairOf(FindingKind kind, const Race& race) {
  return std::uint64_t{static_cast<std::uint8_t>(kind)} << 56 |
         std::uint64_t{race.now.instruction} << 32 | std::uint64_t{race.before.instruction} << 8 |
         std::uint64_t{race.now.writes} << 1 | std::uint64_t{race.before.writes};
}

}  // namespace

void RaceReport::BeginLaunch(Launch& launch) {
  launch_ = &launch;
  numbers_.Clear();
  by_instructions_.clear();
  by_lines_.clear();
  verified_.clear();
  judged_.clear();
  changes_.clear();
}

SourceLocation RaceReport::Where(const RacingAccess& access) const {
  const auto [program, info] = numbers_.At(access.instruction);
  return program == nullptr ? SourceLocation() : PlaceOf(*launch_, *program, info->instruction);
}

SourceLocation RaceReport::Caller(const RacingAccess& access) const {
  const auto [program, info] = numbers_.At(access.instruction);
  return program == nullptr ? SourceLocation() : CallerOf(*launch_, *program, info->instruction);
}

// Returns the lines of the calls that lead to an access; the line in the kernel comes first.
RaceReport::CodeLines RaceReport::Lines(const RacingAccess& access) const {
  const InstructionNumbers::Instruction place = numbers_.At(access.instruction);
  if (place.program == nullptr) return {};
  std::vector<SourceLocation> lines = LinesTo(*launch_, *place.program, place.info->instruction);
  for (SourceLocation& line : lines) line.column = 0;
  return lines;
}

// Returns "thread (5,0,0)", with the block if the race is between two blocks.
std::string RaceReport::Thread(const RacingAccess& access, const Race& race) const {
  std::string text = "thread " + Text(PositionIn(launch_->request->block, access.thread.thread));
  if (race.now.thread.block != race.before.thread.block) text += " of block " + Text(access.block);
  return text;
}

// Returns a text that names who accesses: a thread, or a copy. The thread of a copy is unknown if
// the copy has completed with a phase of an mbarrier.
std::string RaceReport::Subject(const RacingAccess& access, const Race& race) const {
  if (!access.IsCopy()) return Thread(access, race);
  const MemoryInfo* info = numbers_.At(access.instruction).info;
  const bool known = info != nullptr && (info->copy != AsyncCopy::kBulkToShared ||
                                         race.copy_state != CopyState::kNone);
  return known ? "an asynchronous copy of " + Thread(access, race) : "an asynchronous copy";
}

std::string RaceReport::Message(const RacingAccess& reported, const RacingAccess& other,
                                const Race& race, const std::string& missing) const {
  const auto verb = [&](const RacingAccess& access) {
    if (!access.writes) return "reads";
    const MemoryInfo* info = numbers_.At(access.instruction).info;
    const bool updates = info != nullptr && (info->kind == MemoryInfo::Kind::kAtomic ||
                                             info->kind == MemoryInfo::Kind::kReduction);
    return updates ? "updates" : "writes";
  };
  const SourceLocation here = Where(reported);
  const SourceLocation there = Where(other);
  const bool same = there.line == here.line && there.file == here.file;
  std::string text = fmt::format(
      "{} {} {}, which {} {} at {}{}", Subject(reported, race), verb(reported),
      ElementText(*launch_, race.memory, race.address, race.bytes), Subject(other, race),
      verb(other), same ? "this line" : LineText(there, here), missing);
  if (race.same_value) return text + "; the value is the same";
  return text + ValuesText(*launch_, race, numbers_.At(race.before.instruction));
}

RaceReport::Distance RaceReport::DistanceOf(const Race& race) {
  const ThreadId& now = race.now.thread;
  const ThreadId& before = race.before.thread;
  return now.block != before.block     ? Distance::kInGrid
         : now.warp() != before.warp() ? Distance::kInBlock
                                       : Distance::kInWarp;
}

// The place of the finding is the line that reads, or the later of two lines that write. So it is
// the same for any order in which warps ran.
void RaceReport::Report(FindingKind kind, const Race& race) {
  const bool swap =
      race.now.writes && (!race.before.writes || Where(race.now) < Where(race.before));
  const RacingAccess& reported = swap ? race.before : race.now;
  const RacingAccess& other = swap ? race.now : race.before;
  SourceLocation where = Where(reported);
  std::vector<Finding>& findings = launch_->record.findings;
  Key key{kind, Lines(reported), Lines(other)};
  auto found = by_lines_.find(key);
  if (found == by_lines_.end()) {
    if (IsFull(*launch_, kind)) {
      by_instructions_[InstructionPairOf(kind, race)] = nullptr;
      return;
    }
    found = by_lines_.emplace(std::move(key), Reported{.index = findings.size()}).first;
    Finding finding;
    finding.kind = kind;
    finding.where = std::move(where);
    finding.other = Where(other);
    finding.kernel = launch_->record.kernel;
    finding.count = 0;
    AddFinding(*launch_, std::move(finding));
  }
  by_instructions_[InstructionPairOf(kind, race)] = &found->second;
  if (DistanceOf(race) <= found->second.distance) return;
  found->second.distance = DistanceOf(race);
  Remedy remedy = RemedyFor(*launch_, numbers_, race);
  found->second.narrow = std::move(remedy.narrow);
  found->second.at_scope = race.mismatch == Mismatch::kScope;
  Finding& finding = findings[found->second.index];
  finding.message = Message(reported, other, race, remedy.missing);
  if (kind != FindingKind::kSameValueRace) {
    finding.gap = std::move(remedy.gap);
    finding.hint = std::move(remedy.hint);
  }
  finding.caller = Caller(reported);
  finding.thread =
      ThreadPosition{reported.block, PositionIn(launch_->request->block, reported.thread.thread),
                     static_cast<int>(reported.thread.lane())};
}

void RaceReport::Add(const Race& race) {
  const FindingKind kind = KindOf(race);
  if (kind == FindingKind::kSameValueRace) {
    ++same_values_;
  } else if (kind != FindingKind::kVolatileRace) {
    ++races_;
  }
  if (launch_->stopped) return;
  const std::uint64_t numbers = InstructionPairOf(kind, race);
  const auto is_of_library = [&](const RacingAccess& access) {
    return !launch_->options->is_student_file(Where(access).file);
  };
  if (kind == FindingKind::kVolatileRace && is_of_library(race.now) && is_of_library(race.before)) {
    by_instructions_.emplace(numbers, nullptr);  // a note on the code of CUB helps nobody
    return;
  }
  const auto known = by_instructions_.find(numbers);
  if (known == by_instructions_.end() && by_instructions_.size() >= kMostPairs) {
    return CountFurther(*launch_, kind, 1);
  }
  const bool farther = known == by_instructions_.end() ||
                       (known->second != nullptr && known->second->distance < DistanceOf(race));
  if (farther) {
    SpendOverhead(*launch_, kPairCost);
    Report(kind, race);
  }
  Reported* const reported = by_instructions_[numbers];
  if (reported == nullptr) return CountFurther(*launch_, kind, 1);
  if (race.relies && !race.now.writes &&
      numbers_.At(race.now.instruction).info->kind == MemoryInfo::Kind::kAtomic) {
    reported->if_only_reads.insert(race.now.instruction);
  } else {
    reported->is_certain = true;
  }
  ++launch_->record.findings[reported->index].count;
}

bool RaceReport::IsVerified(const Race& race) {
  const RacingAccess& load = race.now.writes ? race.before : race.now;
  const RacingAccess& other = race.now.writes ? race.now : race.before;
  if (load.writes || load.strength != Strength::kWeak || other.strength != Strength::kAtomic) {
    return false;
  }
  const auto [known, is_new] = verified_.try_emplace(load.instruction, false);
  if (is_new) known->second = IsVerifiedByCas(CodePlaceOf(numbers_, load));
  return known->second;
}

bool RaceReport::IsJudgedByItself(const RacingAccess& load) {
  const auto [known, is_new] = judged_.try_emplace(load.instruction, false);
  if (is_new) known->second = emulator::IsJudgedByItself(CodePlaceOf(numbers_, load));
  return known->second;
}

bool RaceReport::OnlyReads(std::uint32_t instruction) const {
  const MemoryInfo* info = numbers_.At(instruction).info;
  if (info == nullptr) return false;
  return info->kind == MemoryInfo::Kind::kLoad ||
         (info->kind == MemoryInfo::Kind::kAtomic && !changes_.contains(instruction));
}

bool RaceReport::IsTold(const Race& race) const {
  return by_instructions_.contains(InstructionPairOf(KindOf(race), race));
}

void RaceReport::AddLimit(std::string why, std::string hint) {
  Finding finding;
  finding.kind = FindingKind::kRaceLimit;
  finding.kernel = launch_->record.kernel;
  finding.message = std::move(why);
  finding.hint = std::move(hint);
  AddFinding(*launch_, std::move(finding));
}

std::vector<std::size_t> RaceReport::MootSameValues() const {
  std::vector<std::size_t> moot;
  for (const auto& [key, one] : by_lines_) {
    const auto& [kind, reported, other] = key;
    if (kind != FindingKind::kSameValueRace) continue;
    if (by_lines_.contains({FindingKind::kSharedRace, reported, other}) ||
        by_lines_.contains({FindingKind::kGlobalRace, reported, other})) {
      moot.push_back(one.index);
    }
  }
  return moot;
}

std::vector<std::size_t> RaceReport::MootReads() const {
  std::vector<std::size_t> moot;
  for (const auto& [key, one] : by_lines_) {
    const bool changes = std::ranges::all_of(one.if_only_reads, [&](std::uint32_t instruction) {
      return changes_.contains(instruction);
    });
    if (!one.is_certain && !one.if_only_reads.empty() && changes) moot.push_back(one.index);
  }
  return moot;
}

// A flag or a lock with the scope of a block races itself, and so does all that it should order.
// The remedy is one, so the finding is one: that of the flag.
std::vector<std::size_t> RaceReport::JoinConsequences() {
  std::vector<Finding>& findings = launch_->record.findings;
  std::vector<const Reported*> causes, others;
  for (const auto& [key, one] : by_lines_) {
    if (!one.narrow.empty()) (one.at_scope ? causes : others).push_back(&one);
  }
  std::ranges::sort(causes, {}, &Reported::index);
  std::ranges::sort(others, {}, &Reported::index);
  std::vector<const Reported*> kept;
  const auto cause_of = [&](const Reported& one) -> const Reported* {
    const auto found = std::ranges::find_if(kept, [&](const Reported* cause) {
      return std::ranges::includes(cause->narrow, one.narrow);
    });
    return found == kept.end() ? nullptr : *found;
  };
  std::vector<std::size_t> moot;
  for (const Reported* cause : causes) {
    if (cause_of(*cause) == nullptr) {
      kept.push_back(cause);
    } else {
      moot.push_back(cause->index);
    }
  }
  std::map<std::size_t, const Finding*> first;  // what follows from a cause, by its index
  for (const Reported* one : others) {
    const Reported* const cause = cause_of(*one);
    if (cause == nullptr) continue;
    first.try_emplace(cause->index, &findings[one->index]);
    moot.push_back(one->index);
  }
  for (const auto& [index, race] : first) {
    Finding& cause = findings[index];
    const std::string here = LineText(race->where, cause.where);
    const std::string there = LineText(race->other, cause.where);
    cause.message += here == there
                         ? fmt::format("; so nothing orders what two blocks do in {}", here)
                         : fmt::format("; so nothing orders {} before {}", there, here);
  }
  return moot;
}

void RaceReport::EndLaunch() {
  std::vector<std::size_t> moot = MootSameValues();
  for (const std::size_t index : MootReads()) moot.push_back(index);
  for (const std::size_t index : JoinConsequences()) moot.push_back(index);
  std::sort(moot.rbegin(), moot.rend());
  std::vector<Finding>& findings = launch_->record.findings;
  for (const std::size_t index : moot) {
    findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(index));
  }
}

}  // namespace warpcheck::emulator
