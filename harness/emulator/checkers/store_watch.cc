#include "emulator/checkers/store_watch.h"

#include <algorithm>
#include <bit>

namespace warpcheck::emulator {

std::vector<bool> StoreWatch::Take(std::uint64_t address, std::uint64_t bytes) {
  std::vector<bool> stored;
  for (std::uint64_t i = 0; i < bytes;) {
    Page& page = pages_[(address + i) / kPageBytes];
    const std::uint64_t first = (address + i) % kPageBytes;
    const std::uint64_t count = std::min(bytes - i, kPageBytes - first);
    if (page.any) {
      stored.resize(bytes);
      for (std::uint64_t k = 0; k < count; ++k) {
        stored[i + k] = page.stored[first + k];
        page.stored[first + k] = false;
      }
      page.any = page.stored.any();
    }
    i += count;
  }
  return stored;
}

void StoreWatch::OnAccess(const AccessEvent& event) {
  if (event.memory != MemoryKind::kGlobal || event.info.kind == MemoryInfo::Kind::kLoad) return;
  for (LaneMask left = event.mask; left != 0; left &= left - 1) {
    std::uint64_t at = event.addresses[static_cast<std::size_t>(std::countr_zero(left))];
    const std::uint64_t end = at + event.info.bytes;
    while (at < end) {
      const auto page = pages_.find(at / kPageBytes);
      const std::uint64_t last = std::min(end, (at / kPageBytes + 1) * kPageBytes);
      if (page != pages_.end()) {
        page->second.any = true;
        for (std::uint64_t i = at; i < last; ++i) page->second.stored[i % kPageBytes] = true;
      }
      at = last;
    }
  }
}

}  // namespace warpcheck::emulator
