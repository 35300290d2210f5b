#include "cudart/explain_copy.h"

#include <fmt/format.h>

#include "cudart/host_pages.h"

namespace warpcheck::cudart {
namespace {

// Whether all `bytes` of device memory are there.
bool OnDevice(Runtime& runtime, const void* pointer, std::uint64_t bytes) {
  return runtime.device()->Holds(reinterpret_cast<DeviceAddress>(pointer), bytes);
}

std::string TooLong(const CopySide& side, std::uint64_t offset, std::uint64_t size) {
  return fmt::format("the {} ends too soon: {} bytes from byte {} of an allocation of {} bytes",
                     side.name, side.bytes, offset, size);
}

std::string_view Wanted(Side side) {
  return side == Side::kHost ? "memory of the host" : "memory of the device";
}

}  // namespace

std::string WhyWrong(Runtime& runtime, const CopySide& side, std::string_view kind) {
  const auto misplaced = [&](std::string_view where) {
    return fmt::format("the {} is {}, where {} wants {}", side.name, where, kind,
                       Wanted(side.side));
  };
  if (side.pointer == nullptr) return fmt::format("the {} is a null pointer", side.name);
  if (const Allocation* allocation = runtime.memory().Find(side.pointer)) {
    if (allocation->host == nullptr && side.side == Side::kHost) return misplaced("device memory");
    const auto address = reinterpret_cast<std::uintptr_t>(side.pointer);
    const bool own = address - allocation->start < allocation->bytes;
    const auto offset = address - (own ? allocation->start : allocation->device);
    const bool fits = MemoryTable::Holds(*allocation, side.pointer, side.bytes);
    return fits ? std::string() : TooLong(side, offset, allocation->bytes);
  }
  const bool host = !runtime.memory().IsDevicePage(side.pointer) && IsMapped(side.pointer, 1);
  if (host && side.side == Side::kDevice) return misplaced("host memory");
  if (host) {
    return IsMapped(side.pointer, side.bytes)
               ? std::string()
               : fmt::format(
                     "the {} ends too soon: its memory of the host is shorter than {} bytes",
                     side.name, side.bytes);
  }
  if (OnDevice(runtime, side.pointer, 1)) {
    if (side.side == Side::kHost) return misplaced("device memory");
    return OnDevice(runtime, side.pointer, side.bytes)
               ? std::string()
               : fmt::format(
                     "the {} ends too soon: the array of the device there is shorter than {} bytes",
                     side.name, side.bytes);
  }
  return fmt::format("the {} is no memory of the host or of the device (was it freed?)", side.name);
}

std::string NameOf(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return "cudaMemcpyHostToHost";
    case cudaMemcpyHostToDevice:
      return "cudaMemcpyHostToDevice";
    case cudaMemcpyDeviceToHost:
      return "cudaMemcpyDeviceToHost";
    case cudaMemcpyDeviceToDevice:
      return "cudaMemcpyDeviceToDevice";
    case cudaMemcpyDefault:
      return "cudaMemcpyDefault";
  }
  return fmt::format("kind {}", static_cast<int>(kind));
}

}  // namespace warpcheck::cudart
