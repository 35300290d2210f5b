// Finds uses of memory that nothing has written, and of values that shuffles read from lanes which
// do not take part (docs/checkers.md). The undefined values are followed through registers and
// arithmetic, lane by lane, until they are stored or used as an address or in a branch.
//
// Memory counts as written if the host copied to it or filled it, if a kernel stored to it, or if
// it is a variable. The marks of an allocation lie behind its bytes (DeviceMemory,
// `tracks_writes`).
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

using LaneMasks = std::array<LaneMask, kLanes>;

// The origin of undefined values: an access that read bytes which nothing has written, or a shuffle
// that read from lanes which do not take part.
struct Origin {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;
  // The rest describes the access; `lanes` is 0 if it was dropped.
  LaneMask lanes = 0;  // lanes that read such bytes, or from such lanes
  Dim3 block;
  std::uint32_t warp = 0;
  MemoryKind memory = MemoryKind::kGlobal;
  std::uint32_t bytes = 0;       // of the element that each lane reads
  LaneAddresses addresses = {};  // for a shuffle: the lanes that were read
  LaneMasks members = {};        // for a shuffle: the mask of each lane
};

// One element of an access, by its offset among the bytes of a lane.
struct Element {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

// Origins gives origins numbers. It keeps the last few thousand in full, and of older ones only the
// instruction.
class Origins {
 public:
  // Adds an origin and returns its number, which is not 0.
  std::uint32_t Add(const Origin& origin);
  std::uint32_t Add(const AccessEvent& event, const Element& element, LaneMask lanes);
  Origin Find(std::uint32_t origin) const;

 private:
  // The low bits of a number are that of the instruction, and the high bits that of the access.
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
  // With `every_read`, reads are reported at once, even of partly written values that are never
  // used.
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
  // The memory that an event accesses.
  struct Place {
    Marks marks;
    WrittenBytes* bytes = nullptr;  // null for device memory
  };
  using LocalBytes = std::array<WrittenBytes, kLanes>;
  struct SharedBytes {
    WrittenBytes bytes;
    KnownWritten known;
  };

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

  // These follow values through instructions (initialisation_dataflow.cc).
  void PropagateThroughMemory(Warp& warp, const Step& step, const Flow& flow, LaneMask lanes);
  static void Copy(Taint* taints, const Flow& flow, LaneMask lanes);
  static Taint Gathered(const Taint* taints, const std::vector<TaintIndex>& sources,
                        LaneMask lanes);
  Taint Result(Warp& warp, const Step& step, const Flow& flow, LaneMask lanes);
  // The lanes whose results may depend on tainted sources, for the first destination and for the
  // others (initialisation_decided.cc).
  using DestinationMasks = std::array<LaneMask, 2>;
  static DestinationMasks Undecided(Warp& warp, const Step& step, const Flow& flow, LaneMask lanes);
  void Check(Warp& warp, const Step& step, const Taint& taint, LaneMask lanes, Use use);

  // These report findings (initialisation_report.cc).
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
  const Block* block_ = nullptr;  // the block of the last access to shared memory
  SharedBytes* block_shared_ = nullptr;
  std::array<const Allocation*, 16> recent_ =
      {};                    // the allocations of the last accesses to device memory
  std::uint64_t frees_ = 0;  // the count of frees when they were found
  Taint copied_;             // what the first half of a cp.async has read
};

}  // namespace warpcheck::emulator
