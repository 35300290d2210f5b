#include "emulator/checkers/initialisation/origins.h"

#include "emulator/core/block.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

std::uint32_t Origins::Add(const Origin& origin) {
  const Place place{origin.program, origin.instruction};
  const auto [found, added] =
      numbers_.try_emplace(place, static_cast<std::uint32_t>(places_.size()));
  if (added && places_.size() == kInstructions) {
    found->second = kInstructions - 1;
  } else if (added) {
    places_.push_back(place);
  }
  const std::uint32_t number = found->second + kInstructions * accesses_;
  const std::size_t at = accesses_ % kKept;
  accesses_ = (accesses_ + 1) % (~std::uint32_t{0} / kInstructions);
  if (kept_.size() <= at) kept_.resize(at + 1);
  kept_[at] = {.number = number, .origin = origin};
  return number;
}

std::uint32_t Origins::Add(const AccessEvent& event, const Element& element, LaneMask lanes) {
  Origin origin{.program = event.warp.running.program,
                .instruction = event.step.index,
                .lanes = lanes,
                .block = event.warp.block->index,
                .warp = event.warp.index,
                .memory = event.memory,
                .bytes = element.bytes,
                .addresses = event.addresses};
  for (std::uint64_t& address : origin.addresses) address += element.offset;
  return Add(origin);
}

Origin Origins::Find(std::uint32_t origin) const {
  const std::size_t at = origin / kInstructions % kKept;
  if (at < kept_.size() && kept_[at].number == origin) return kept_[at].origin;
  const Place& place = places_[origin % kInstructions];
  return {.program = place.first, .instruction = place.second, .block = {}};
}

}  // namespace warpcheck::emulator
