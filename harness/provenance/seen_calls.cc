#include "provenance/seen_calls.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text.h"

namespace warpcheck {

void SeenCalls::Allocated(DeviceAddress at, std::uint64_t bytes, DeviceError result) {
  if (at == 0) return;
  if (result == DeviceError::kSuccess) {
    shared_[at] = bytes;
  } else {
    knows_shared_ = false;
  }
  if (result == DeviceError::kNotSupported) places_memory_ = false;
}

bool SeenCalls::IsShared(DeviceAddress address) const {
  const auto after = shared_.upper_bound(address);
  if (after == shared_.begin()) return false;
  const auto& [begin, bytes] = *std::prev(after);
  return address - begin < bytes;
}

void SeenCalls::Written(DeviceAddress to, std::uint64_t bytes) {
  if (!IsShared(to)) seen_.bytes_to_device += bytes;
}

void SeenCalls::Read(DeviceAddress from, std::uint64_t bytes) {
  if (!IsShared(from)) seen_.bytes_to_host += bytes;
}

void SeenCalls::Copied(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  if (IsShared(to) && !IsShared(from)) seen_.bytes_to_host += bytes;
  if (IsShared(from) && !IsShared(to)) seen_.bytes_to_device += bytes;
}

std::string SeenCalls::DifferenceTo(const HostCalls& calls) const {
  const auto differ = [](std::string_view what, std::uint64_t seen, std::uint64_t recorded) {
    return fmt::format("{}: the device saw {}, and the record of the program's calls has {}", what,
                       Grouped(seen), Grouped(recorded));
  };
  const HostCallTotals& recorded = calls.totals;
  if (seen_.kernels != recorded.kernels) {
    return differ("launches", seen_.kernels, recorded.kernels);
  }
  if (!knows_shared_) return {};
  if (seen_.bytes_to_host != recorded.bytes_to_host) {
    return differ("bytes copied to the host", seen_.bytes_to_host, recorded.bytes_to_host);
  }
  // The device does not know managed memory from pinned memory.
  const std::uint64_t to_device = recorded.bytes_to_device + recorded.managed_bytes_to_device;
  if (seen_.bytes_to_device != to_device) {
    return differ("bytes copied to the device", seen_.bytes_to_device, to_device);
  }
  return {};
}

}  // namespace warpcheck
