#include "emulator/core/memory_region.h"

#include "emulator/core/block.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {
namespace {

Region SharedRegion(const Warp& warp, std::uint64_t window) {
  std::vector<std::byte>& shared = warp.block->shared;
  return {Region::What::kShared, window, window + warp.launch->shared_bytes, shared.data()};
}

Region LocalRegion(const Warp& warp, std::uint64_t window, int lane) {
  const std::size_t at = std::size_t{warp.local_stride} * static_cast<unsigned>(lane);
  return {Region::What::kLocal, window, window + warp.local_stride,
          const_cast<std::byte*>(warp.local.data()) + at};
}

Region ParameterRegion(const Warp& warp) {
  const auto& parameters = warp.launch->request->parameters;
  return {Region::What::kParam, kParamWindow.begin, kParamWindow.begin + parameters.size(),
          const_cast<std::byte*>(parameters.data())};
}

}  // namespace

MemoryKind KindOf(Region::What what) {
  // The names have the order of Region::What.
  constexpr MemoryKind kKinds[] = {MemoryKind::kGlobal,   MemoryKind::kGlobal,
                                   MemoryKind::kConstant, MemoryKind::kShared,
                                   MemoryKind::kLocal,    MemoryKind::kParameter};
  return kKinds[static_cast<std::size_t>(what)];
}

Region RegionOf(const Warp& warp, const MemoryInfo& info, std::uint64_t address, int lane) {
  if (info.space == ptx::Space::kShared) return SharedRegion(warp, 0);
  if (info.space == ptx::Space::kLocal) return LocalRegion(warp, 0, lane);
  if (info.space == ptx::Space::kGlobal && OtherSpaceAt(address) != nullptr) return {};
  if (kSharedWindow.Contains(address)) return SharedRegion(warp, kSharedWindow.begin);
  if (kLocalWindow.Contains(address)) return LocalRegion(warp, kLocalWindow.begin, lane);
  if (kParamWindow.Contains(address)) return ParameterRegion(warp);
  const Allocation* allocation = warp.launch->memory->Find(address, info.bytes);
  if (allocation == nullptr) return {};
  const bool constant = allocation->kind == AllocationKind::kConstant;
  return {constant ? Region::What::kConstant : Region::What::kHeap, allocation->begin,
          allocation->end(), allocation->host};
}

const char* OtherSpaceAt(std::uint64_t address) {
  return kSharedWindow.Contains(address)  ? "shared"
         : kLocalWindow.Contains(address) ? "local"
         : kParamWindow.Contains(address) ? "parameter"
                                          : nullptr;
}

}  // namespace warpcheck::emulator
