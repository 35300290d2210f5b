#include "emulator/checkers/written_access.h"

#include <bit>
#include <cstring>

#include "emulator/checkers/written_bytes.h"

namespace warpcheck::emulator {
namespace {

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
    if (bytes == 4) {  // a constant size is one store
      std::memset(first, kWritten, 4);
    } else {
      std::memset(first, kWritten, bytes);
    }
  });
}

}  // namespace warpcheck::emulator
