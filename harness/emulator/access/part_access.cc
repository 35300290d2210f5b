#include "emulator/access/part_access.h"

#include <bit>

namespace warpcheck::emulator {
namespace {

// Calls body(offset, bytes) for stretches that cover the lanes of `mask`, lane i being at
// base + delta[i]: one for neighbours that follow each other, or are at one address.
template <class Body>
void EachStretch(std::uint64_t base, const std::uint64_t* delta, LaneMask mask, std::uint32_t bytes,
                 Body body) {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const std::uint64_t at = base + delta[std::countr_zero(left)];
    if (at == end || (at + bytes == end && end != 0)) {
      end = at + bytes;
      continue;
    }
    if (end != begin) body(begin, end - begin);
    begin = at;
    end = at + bytes;
  }
  body(begin, end - begin);
}

// The same by what the site knows of how its lanes lie.
template <class Body>
void EachStretch(const MemorySite& site, std::uint64_t offset, LaneMask mask, std::uint32_t bytes,
                 Body body) {
  if (site.contiguous) return body(offset, std::uint64_t{bytes} * kLanes);
  if (site.uniform) return body(offset, bytes);
  if (mask != kAllLanes) return EachStretch(offset, site.delta.data(), mask, bytes, body);
  for (std::size_t run = 0; run < site.runs.size(); ++run) {
    const std::uint64_t* delta = site.delta.data() + run * 8;
    switch (site.runs[run]) {
      case MemorySite::Run::kContiguous:
        body(offset + delta[0], std::uint64_t{bytes} * 8);
        break;
      case MemorySite::Run::kUniform:
        body(offset + delta[0], bytes);
        break;
      case MemorySite::Run::kScattered:
        EachStretch(offset, delta, LaneMask{0xFF}, bytes, body);
        break;
    }
  }
}

template <class Stretches>
std::byte* Note(PartView& view, const MemoryInfo& info, Stretches stretches) {
  return info.kind == MemoryInfo::Kind::kLoad ? view.ForLoad(stretches) : view.ForStore(stretches);
}

}  // namespace

std::byte* HostInPart(const MemorySite& site, std::uint64_t offset, LaneMask mask,
                      const MemoryInfo& info) {
  return Note(*site.view, info,
              [&](auto body) { EachStretch(site, offset, mask, info.bytes, body); });
}

std::byte* HostInPart(PartView& view, const std::uint64_t* addresses, std::uint64_t begin,
                      LaneMask mask, const MemoryInfo& info) {
  return Note(view, info,
              [&](auto body) { EachStretch(0 - begin, addresses, mask, info.bytes, body); });
}

}  // namespace warpcheck::emulator
