#include "emulator/checkers/initialisation/written_bytes.h"

#include <algorithm>
#include <cstring>

namespace warpcheck::emulator {

namespace {

template <class T>
LaneMask LanesOf(const std::uint8_t* written, const LaneAddresses& offsets, LaneMask mask,
                 LaneMask* some) {
  LaneMask none = 0;
  LaneMask not_all = 0;
  EachLane(mask, [&](std::size_t lane) {
    T value;
    std::memcpy(&value, written + offsets[lane], sizeof value);
    none |= (value == 0 ? LaneMask{1} : 0) << lane;
    not_all |= (value != static_cast<T>(~T{0}) ? LaneMask{1} : 0) << lane;
  });
  if (some != nullptr) *some = not_all;
  return none;
}

bool AllWritten(const std::uint8_t* first, std::size_t count) {
  std::uint64_t all = ~std::uint64_t{0};
  for (; count >= 8; count -= 8, first += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, first, sizeof eight);
    all &= eight;
  }
  for (; count != 0; --count, ++first) all &= *first == kWritten ? ~std::uint64_t{0} : 0;
  return all == ~std::uint64_t{0};
}

template <class T>
bool LanesWritten(const AccessEvent& event, const Marks& marks) {
  T all = static_cast<T>(~T{0});
  const auto look = [&](std::size_t lane) {
    T value;
    std::memcpy(&value, marks.At(event.addresses[lane]), sizeof value);
    all = static_cast<T>(all & value);
  };
  if (event.mask == kAllLanes) {
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < kLanes; ++lane) look(lane);
  } else {
    EachLane(event.mask, look);
  }
  return all == static_cast<T>(~T{0});
}

}  // namespace

LaneMask UnwrittenLanes(const std::uint8_t* written, const LaneAddresses& offsets, LaneMask mask,
                        std::uint32_t bytes, LaneMask* some) {
  switch (bytes) {
    case 1:
      return LanesOf<std::uint8_t>(written, offsets, mask, some);
    case 2:
      return LanesOf<std::uint16_t>(written, offsets, mask, some);
    case 4:
      return LanesOf<std::uint32_t>(written, offsets, mask, some);
    case 8:
      return LanesOf<std::uint64_t>(written, offsets, mask, some);
    default:
      break;
  }
  LaneMask none = 0;
  LaneMask not_all = 0;
  EachLane(mask, [&](std::size_t lane) {
    const std::uint8_t* first = written + offsets[lane];
    const auto count = std::count(first, first + bytes, kWritten);
    none |= (count == 0 ? LaneMask{1} : 0) << lane;
    not_all |= (count != static_cast<std::ptrdiff_t>(bytes) ? LaneMask{1} : 0) << lane;
  });
  if (some != nullptr) *some = not_all;
  return none;
}

void WrittenBytes::Reset(std::size_t bytes) {
  written_.assign(bytes, 0);
  origins_.clear();
}

void WrittenBytes::Grow(std::size_t bytes) {
  if (written_.size() < bytes) written_.resize(bytes);
}

void WrittenBytes::Forget(std::size_t begin, std::size_t bytes) {
  std::fill_n(written_.begin() + static_cast<std::ptrdiff_t>(begin), bytes, std::uint8_t{0});
  if (!origins_.empty()) SetOrigin(begin, static_cast<std::uint32_t>(bytes), 0);
}

void WrittenBytes::SetOrigin(std::size_t offset, std::uint32_t bytes, std::uint32_t origin) {
  origins_.resize(written_.size() / 4 + 1);
  for (std::size_t word = offset / 4; word * 4 < offset + bytes; ++word) origins_[word] = origin;
}

std::uint32_t WrittenBytes::OriginAt(std::size_t offset) const {
  return offset / 4 < origins_.size() ? origins_[offset / 4] : 0;
}

bool AllMarked(const AccessEvent& event, const Marks& marks) {
  const std::uint32_t bytes = event.info.bytes;
  if (event.shape != AccessShape::kScattered) {
    return AllWritten(marks.At(event.extent.begin), event.extent.end - event.extent.begin);
  }
  switch (bytes) {
    case 1:
      return LanesWritten<std::uint8_t>(event, marks);
    case 2:
      return LanesWritten<std::uint16_t>(event, marks);
    case 4:
      return LanesWritten<std::uint32_t>(event, marks);
    case 8:
      return LanesWritten<std::uint64_t>(event, marks);
    default:
      break;
  }
  bool all = true;
  EachLane(event.mask, [&](std::size_t lane) {
    all = all && AllWritten(marks.At(event.addresses[lane]), bytes);
  });
  return all;
}

void MarkWritten(const AccessEvent& event, const Marks& marks) {
  if (marks.known != nullptr &&
      marks.known->Holds(event.extent.begin - marks.begin, event.extent.end - marks.begin)) {
    return;
  }
  const std::uint32_t bytes = event.info.bytes;
  if (event.shape == AccessShape::kContiguous) {
    std::memset(marks.At(event.extent.begin), kWritten, std::size_t{bytes} * kLanes);
    return;
  }
  EachLane(event.mask, [&](std::size_t lane) {
    std::uint8_t* const first = marks.At(event.addresses[lane]);
    if (bytes == 4) {  // with a constant size, the compiler makes one store of this
      std::memset(first, kWritten, 4);
    } else {
      std::memset(first, kWritten, bytes);
    }
  });
}

}  // namespace warpcheck::emulator
