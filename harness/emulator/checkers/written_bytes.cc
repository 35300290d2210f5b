#include "emulator/checkers/written_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpcheck::emulator {
namespace {

template <class T>
LaneMask Lanes(const std::uint8_t* written, const LaneAddresses& offsets, LaneMask mask,
               LaneMask* some) {
  LaneMask none = 0;
  LaneMask not_all = 0;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    T value;
    std::memcpy(&value, written + offsets[lane], sizeof value);
    none |= (value == 0 ? LaneMask{1} : 0) << lane;
    not_all |= (value != static_cast<T>(~T{0}) ? LaneMask{1} : 0) << lane;
  }
  if (some != nullptr) *some = not_all;
  return none;
}

}  // namespace

LaneMask UnwrittenLanes(const std::uint8_t* written, const LaneAddresses& offsets, LaneMask mask,
                        std::uint32_t bytes, LaneMask* some) {
  switch (bytes) {
    case 1:
      return Lanes<std::uint8_t>(written, offsets, mask, some);
    case 2:
      return Lanes<std::uint16_t>(written, offsets, mask, some);
    case 4:
      return Lanes<std::uint32_t>(written, offsets, mask, some);
    case 8:
      return Lanes<std::uint64_t>(written, offsets, mask, some);
    default:
      break;
  }
  LaneMask none = 0;
  LaneMask not_all = 0;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const std::uint8_t* first = written + offsets[lane];
    const auto count = std::count(first, first + bytes, kWritten);
    none |= (count == 0 ? LaneMask{1} : 0) << lane;
    not_all |= (count != static_cast<std::ptrdiff_t>(bytes) ? LaneMask{1} : 0) << lane;
  }
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

}  // namespace warpcheck::emulator
