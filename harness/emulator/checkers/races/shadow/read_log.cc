#include "emulator/checkers/races/shadow/read_log.h"

namespace warpcheck::emulator {

std::uint32_t ReadLog::NewPattern(const AccessEvent& event, std::uint64_t lowest) {
  if (patterns_.size() == kMostPatterns) return kNone;
  const auto index = static_cast<std::uint32_t>(patterns_.size());
  Pattern& pattern = patterns_.emplace_back();
  for (std::size_t lane = 0; lane < pattern.size(); ++lane) {
    pattern[lane] = static_cast<std::uint32_t>(event.addresses[lane] - lowest);
  }
  if (event.pattern != 0) known_[event.pattern % known_.size()] = {event.pattern, index};
  return index;
}

void ReadLog::Clear() {
  reads_.clear();
  windows_.clear();
  if (patterns_.size() > kMostPatterns / 2) ClearAll();
}

void ReadLog::ClearAll() {
  reads_.clear();
  windows_.clear();
  patterns_.clear();
  known_ = {};
}

LaneAddresses ReadLog::AddressesOf(const Read& read, std::uint64_t begin) const {
  LaneAddresses addresses;
  const auto bytes = std::uint32_t{1} << read.width;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    std::uint32_t offset = read.offset;
    switch (static_cast<AccessShape>(read.shape)) {
      case AccessShape::kContiguous:
        offset += lane * bytes;
        break;
      case AccessShape::kUniform:
        break;
      case AccessShape::kScattered:
        offset += patterns_[read.pattern][lane];
        break;
    }
    addresses[lane] = begin + offset;
  }
  return addresses;
}

}  // namespace warpcheck::emulator
