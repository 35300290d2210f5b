// RaceReport turns races into findings: one finding for each kind and pair of source lines, with a
// count.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/checkers/races/report/instructions.h"
#include "emulator/checkers/races/report/race.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

class RaceReport {
 public:
  void BeginLaunch(Launch& launch);
  void Add(const Race& race);
  // True if a race of these two instructions is reported already.
  bool IsTold(const Race& race) const;
  // True if one access is an atomic and the other a plain load that an atomicCAS() verifies.
  bool IsVerified(const Race& race);
  // True if an old value that the access loads does no harm (loaded_value.h).
  bool IsJudgedByItself(const RacingAccess& load);
  // Notes that the instruction changes memory. An atomic that never does only reads.
  void NoteChange(std::uint32_t instruction) { changes_.insert(instruction); }
  // True if the instruction is a load, or an atomic that has only read so far.
  bool OnlyReads(std::uint32_t instruction) const;
  // Ends the launch. Drops findings of atomics that were taken for reads and changed memory later,
  // those that two lines write the same value where the same lines also
  // race with different values, and those that follow from the scope of an atomic that has a
  // finding of its own.
  void EndLaunch();
  // Adds a finding that races may have been missed, and why.
  void AddLimit(std::string why, std::string hint);
  InstructionNumbers& instructions() { return numbers_; }
  // Returns true if all launches together had more than kMostRaces, counted for each lane and each
  // cell. Further races give no new information, and a million of them takes a third of a second.
  bool full() const { return races_ > kMostRaces; }
  // Returns true if there were more than kMostSameValues stores of equal values; even a right
  // program may have many.
  bool full_of_same_values() const { return same_values_ > kMostSameValues; }

  static constexpr std::uint64_t kMostRaces = std::uint64_t{8} << 20;
  static constexpr std::uint64_t kMostSameValues = std::uint64_t{48} << 20;

 private:
  using CodeLines = std::vector<SourceLocation>;
  using Key = std::tuple<FindingKind, CodeLines, CodeLines>;

  // The distance of two threads. A finding shows the pair that is farthest apart.
  enum class Distance : std::uint8_t { kNobody, kInWarp, kInBlock, kInGrid };
  struct Reported {
    std::size_t index = 0;  // the index in the launch's findings
    Distance distance = Distance::kNobody;
    std::vector<int> narrow{};  // of its remedy
    bool at_scope = false;      // the two accesses race because of the scope of one of them
    // Atomics whose races are none if they do more than read; and whether there are other races.
    std::set<std::uint32_t> if_only_reads{};
    bool is_certain = false;
  };

  static Distance DistanceOf(const Race& race);
  // Return the indices of findings to drop; the last notes in the others what is dropped.
  std::vector<std::size_t> MootSameValues() const;
  std::vector<std::size_t> MootReads() const;
  std::vector<std::size_t> JoinConsequences();
  void Report(FindingKind kind, const Race& race);
  std::string Message(const RacingAccess& reported, const RacingAccess& other, const Race& race,
                      const std::string& missing) const;
  std::string Thread(const RacingAccess& access, const Race& race) const;
  std::string Subject(const RacingAccess& access, const Race& race) const;
  SourceLocation Where(const RacingAccess& access) const;
  SourceLocation Caller(const RacingAccess& access) const;
  CodeLines Lines(const RacingAccess& access) const;

  Launch* launch_ = nullptr;
  std::uint64_t races_ = 0;
  std::uint64_t same_values_ = 0;
  InstructionNumbers numbers_;
  // The most pairs of instructions that are distinguished. Races of further pairs are only counted
  // (CountFurther).
  static constexpr std::size_t kMostPairs = 4'096;
  std::unordered_map<std::uint64_t, Reported*> by_instructions_;
  std::map<Key, Reported> by_lines_;
  std::unordered_map<std::uint32_t, bool> verified_;  // plain loads, by their instructions
  std::unordered_map<std::uint32_t, bool> judged_;    // strong loads, by their instructions
  std::unordered_set<std::uint32_t> changes_;         // instructions of atomics that change memory
};

}  // namespace warpcheck::emulator
