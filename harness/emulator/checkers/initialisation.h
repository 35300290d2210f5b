// Finds uses of memory that nothing has written, and of what shuffles read from lanes that take no
// part (docs/checkers.md): what they leave in registers is followed through the arithmetic, lane by
// lane, to a store, an address or a branch.
//
// Written is what the host copied or filled, what kernels stored, and every variable at its start.
// The bytes of an allocation that say so lie behind its own (DeviceMemory, `tracks_writes`).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "device/types.h"
#include "emulator/checkers/written_bytes.h"
#include "emulator/core/observer.h"
#include "emulator/decode/flow.h"
#include "emulator/memory/device_memory.h"

namespace warpcheck::emulator {

// Where values without a meaning come from: one origin for each access that found bytes which
// nothing has written, and for each shuffle that read from lanes which take no part. The last few
// thousand are kept; of older ones the instruction alone.

using LaneMasks = std::array<LaneMask, kLanes>;

struct Origin {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;
  // The rest is of the access itself; `lanes` is 0 where it is forgotten.
  LaneMask lanes = 0;  // that found such bytes, or such lanes
  Dim3 block;
  std::uint32_t warp = 0;
  MemoryKind memory = MemoryKind::kGlobal;
  std::uint32_t bytes = 0;       // of a lane's element
  LaneAddresses addresses = {};  // of a shuffle: the lanes that were read
  LaneMasks members = {};        // of a shuffle: each lane's mask
};

// One element of an access, by its place among the bytes of a lane.
struct Element {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

class Origins {
 public:
  // The number of a new origin, not 0.
  std::uint32_t Add(const Origin& origin);
  std::uint32_t Add(const AccessEvent& event, const Element& element, LaneMask lanes);
  Origin Find(std::uint32_t origin) const;

 private:
  // A number is that of the instruction, below 4096, and above it that of the access.
  static constexpr std::uint32_t kInstructions = 4096;
  static constexpr std::uint32_t kKept = 4096;

  struct Kept {
    std::uint32_t number = 0;
    Origin origin;
  };
  using Place = std::pair<const Program*, std::uint32_t>;
  std::map<Place, std::uint32_t> numbers_;
  std::vector<Place> places_{{nullptr, 0}};
  std::vector<Kept> kept_;
  std::uint32_t accesses_ = 0;
};

class InitialisationChecker final : public Observer, public ValueTracker {
 public:
  // `every_read`: reads are reported at once, also of partly written values that nobody uses.
  explicit InitialisationChecker(bool every_read) : every_read_(every_read) {}

  void OnLaunchBegin(Launch& launch) override;
  void OnBlockBegin(Block& block) override;
  void OnAccess(const AccessEvent& event) override;

  ValueTracker* tracker() override { return this; }
  void Enter(Warp& warp, LaneMask lanes) override;
  void Propagate(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) override;
  void PropagateAtEnding(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) override;
  void ShuffledFromNobody(Warp& warp, const Step& step, LaneMask lanes) override;

 private:
  enum class Use : std::uint8_t { kStore, kAddress, kBranch, kAtomic };
  // The bytes that an event's addresses lead to.
  struct Place {
    Marks marks;
    WrittenBytes* bytes = nullptr;  // null for device memory
  };
  using LocalBytes = std::array<WrittenBytes, kLanes>;
  struct SharedBytes {
    WrittenBytes bytes;
    KnownWritten known;
  };

  // initialisation.cc: events
  Place AccessedBy(const AccessEvent& event);
  void AccessLocal(const AccessEvent& event);
  void Access(const AccessEvent& event, const Place& place);
  void Load(const AccessEvent& event, const Place& place);
  void Store(const AccessEvent& event, const Place& place);
  void Atomic(const AccessEvent& event, const Place& place);
  LaneMask LoadElement(const AccessEvent& event, const Place& place, const Element& element,
                       std::uint32_t* origin);
  void StoreElement(const AccessEvent& event, const Place& place, const Element& element,
                    const Taint& value);
  const std::vector<Flow>& FlowsFor(const Program& program);

  // initialisation_dataflow.cc: values
  void PropagateThroughMemory(Warp& warp, const Step& step, const Flow& flow, LaneMask lanes);
  static void Copy(Taint* taints, const Flow& flow, LaneMask lanes);
  static Taint Gathered(const Taint* taints, const std::vector<TaintIndex>& sources,
                        LaneMask lanes);
  Taint Result(Warp& warp, const Step& step, const Flow& flow, LaneMask lanes);
  // initialisation_decided.cc
  // Of the first destination, and of the others: the lanes whose results the tainted sources may
  // change.
  using DestinationMasks = std::array<LaneMask, 2>;
  static DestinationMasks Undecided(Warp& warp, const Step& step, const Flow& flow, LaneMask lanes);
  void Check(Warp& warp, const Step& step, const Taint& taint, LaneMask lanes, Use use);

  // initialisation_report.cc
  static std::string_view Done(Use use);
  void Report(Warp& warp, const Step& step, LaneMask lanes, Use use, std::uint32_t origin);
  void ReportRead(const AccessEvent& event, LaneMask lanes);

  const bool every_read_;
  Launch* launch_ = nullptr;
  Origins origins_;
  std::map<const Program*, std::vector<Flow>> flows_;
  std::map<const Block*, SharedBytes> shared_;
  std::map<const Warp*, LocalBytes> local_;
  std::map<const Warp*, LaneMask> carry_;
  const Block* block_ = nullptr;  // of the last access to shared memory
  SharedBytes* block_shared_ = nullptr;
  std::array<const Allocation*, 16> recent_ = {};  // of the last accesses to device memory
  std::uint64_t frees_ = 0;                        // of that memory, when they were found
  Taint copied_;                                   // by the first half of a cp.async
};

}  // namespace warpcheck::emulator
