// Writes findings about races: one for each kind and pair of source lines, with a count.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "emulator/checkers/race_cells.h"
#include "emulator/checkers/race_clock.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// A number for each memory instruction of a launch, which fits in a Who.
class RacePlaces {
 public:
  struct Place {
    const Program* program = nullptr;
    const MemoryInfo* info = nullptr;
  };

  void Clear() { programs_.clear(), last_ = {}, next_ = 0; }
  std::uint32_t NumberOf(const Program& program, const Step& step) {
    if (last_.program != &program) [[unlikely]]
      last_ = BaseOf(program);
    return last_.base + step.memory;
  }
  Place At(std::uint32_t number) const;

 private:
  struct Base {
    const Program* program = nullptr;
    std::uint32_t base = 0;
  };
  Base BaseOf(const Program& program);

  std::vector<Base> programs_;
  Base last_;
  std::uint32_t next_ = 0;
};

// What has been asked for an asynchronous copy that nobody has waited for.
enum class UnderWay : std::uint8_t {
  kNot,         // it is no copy, or somebody has waited for it
  kInNoGroup,   // it was not committed
  kInAGroup,    // which its thread can wait for
  kAtMbarrier,  // a phase of which will tell its end
};

// One of two threads that race.
struct Racer {
  ThreadId thread;
  Dim3 block;
  std::uint32_t place = 0;
  bool writes = false;
  Strength strength = Strength::kWeak;

  bool IsCopy() const { return strength == Strength::kCopy; }
};

struct Race {
  Racer now, before;
  MemoryKind memory = MemoryKind::kShared;
  std::uint64_t address = 0;  // of the access now; as in AccessEvent
  std::uint32_t bytes = 0;
  bool same_value = false;
  UnderWay under_way = UnderWay::kNot;  // of the earlier one
  std::uint32_t later_groups = 0;       // of copies, committed after its own
  // The access now, while it is looked at; null where nobody needs its values.
  const AccessEvent* event = nullptr;
  std::uint32_t lane = 0;
  bool at_once = false;  // both are lanes of one store, and memory has neither value yet
};

// What would have ordered two accesses that race (race_remedy.cc): which barrier is missing, and
// between which lines; or a fence, or an atomic.
struct Remedy {
  std::optional<Gap> gap{};  // of a barrier
  std::string missing{};     // what the message ends with: ", with no __syncthreads() between"
  std::string hint{};        // empty: that of the finding's kind
};

Remedy RemedyFor(const Launch& launch, const RacePlaces& places, const Race& race);
// Of a copy that nobody has waited for (race_wait.cc).
Remedy RemedyForCopy(const Launch& launch, const RacePlaces& places, const Race& race);
// From the earlier access to the one now, which `barrier` should part; none where one line does
// both.
std::optional<Gap> GapOfRace(const Launch& launch, const RacePlaces& places, const Race& race,
                             std::string barrier);

class RaceReport {
 public:
  void BeginLaunch(Launch& launch);
  void Add(const Race& race);
  // Leaves out that two lines sometimes write the same value where they also race.
  void EndLaunch();
  // Says that races may have been missed.
  void AddLimit(std::string why, std::string hint);
  RacePlaces& places() { return places_; }
  // Whether all launches have had more than kMostRaces, each lane's and each cell's: those beyond
  // tell nothing new. A million takes a third of a second.
  bool full() const { return races_ > kMostRaces; }
  // The same of stores of one value, of which a right program may have many.
  bool full_of_same_values() const { return same_values_ > kMostSameValues; }

  static constexpr std::uint64_t kMostRaces = std::uint64_t{8} << 20;
  static constexpr std::uint64_t kMostSameValues = std::uint64_t{48} << 20;

 private:
  using CodeLines = std::vector<SourceLocation>;
  using Key = std::tuple<FindingKind, CodeLines, CodeLines>;

  // How far apart two threads are; a finding tells of the farthest.
  enum class Apart : std::uint8_t { kNobody, kInWarp, kInBlock, kInGrid };
  struct Told {
    std::size_t index = 0;  // of the launch's findings
    Apart apart = Apart::kNobody;
  };

  static Apart ApartOf(const Race& race);
  void Tell(FindingKind kind, const Race& race);
  std::string Message(const Racer& told, const Racer& other, const Race& race,
                      const std::string& missing) const;
  std::string Thread(const Racer& racer, const Race& race) const;
  std::string Doer(const Racer& racer, const Race& race) const;
  SourceLocation Where(const Racer& racer) const;
  SourceLocation Caller(const Racer& racer) const;
  CodeLines Lines(const Racer& racer) const;

  Launch* launch_ = nullptr;
  std::uint64_t races_ = 0;
  std::uint64_t same_values_ = 0;
  RacePlaces places_;
  // Pairs of instructions that are told apart; those beyond are counted (CountFurther).
  static constexpr std::size_t kMostPairs = 4'096;
  std::unordered_map<std::uint64_t, Told*> by_places_;
  std::map<Key, Told> by_lines_;
};

// The values of two accesses that race, where they are plain loads and stores of one element:
// memory and the registers still have them.

// "; here it is read as 0, before 7 is written"; empty where the values are not known.
// `before`: the earlier access, null for none that is known.
std::string ValuesText(const Race& race, const MemoryInfo* before);

}  // namespace warpcheck::emulator
