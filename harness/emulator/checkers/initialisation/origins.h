// Origins says where undefined values come from: it numbers the accesses and shuffles that made
// them, so that a register or a word of memory keeps one number.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "device/types.h"
#include "emulator/core/observer.h"

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

}  // namespace warpcheck::emulator
