#include "emulator/core/stored_values.h"

#include <cstring>

#include "emulator/core/warp.h"

namespace warpcheck::emulator {
namespace {

// Calls compare(first lane's register, index) for each element of the store. Returns false if a
// call returns false, or if there are no elements.
template <class Compare>
bool AllElements(const AccessEvent& event, Compare compare) {
  const MemoryInfo& info = event.info;
  if (info.kind != MemoryInfo::Kind::kStore || info.elements == 0) return false;
  for (std::uint32_t e = 0; e < info.elements; ++e) {
    if (!compare(event.warp.running.frame + info.values[e], e)) return false;
  }
  return true;
}

}  // namespace

bool StoreSame(const AccessEvent& event, std::uint32_t lane, std::uint32_t other) {
  const std::size_t width = event.info.register_bytes;
  return AllElements(event, [&](const std::byte* values, std::uint32_t) {
    const std::size_t bytes = event.info.bytes / event.info.elements;
    return std::memcmp(values + lane * width, values + other * width, bytes) == 0;
  });
}

bool StoresWhatIsThere(const AccessEvent& event, std::uint32_t lane, const std::byte* there) {
  const std::size_t width = event.info.register_bytes;
  return AllElements(event, [&](const std::byte* values, std::uint32_t e) {
    const std::size_t bytes = event.info.bytes / event.info.elements;
    return std::memcmp(values + lane * width, there + e * bytes, bytes) == 0;
  });
}

}  // namespace warpcheck::emulator
