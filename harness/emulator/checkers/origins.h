// Where values without a meaning come from: one origin for each access that found bytes which
// nothing has written, and for each shuffle that read from lanes which take no part. The last few
// thousand are kept; of older ones the instruction alone.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "device/types.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

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
  void Clear();

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

}  // namespace warpcheck::emulator
