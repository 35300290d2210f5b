#include "remote/ownership.h"

#include <algorithm>
#include <iterator>

#include "remote/protocol.h"

namespace warpcheck::remote {
namespace {

bool Contains(DeviceAddress first, std::uint64_t size, DeviceAddress address, std::uint64_t bytes) {
  return address >= first && bytes <= size && address - first <= size - bytes;
}

bool IsFunctionName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxUnsupportedCallBytes &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_';
         });
}

}  // namespace

void Ownership::Grant(const Call& call) {
  granted_.clear();
  for (const Argument& argument : call.arguments) {
    const auto* pointer = std::get_if<DevicePointer>(&argument);
    if (pointer != nullptr && pointer->bytes != 0) {
      granted_.emplace(pointer->address, pointer->bytes);
    }
  }
}

bool Ownership::MayUse(DeviceAddress address, std::uint64_t bytes) const {
  if (bytes == 0) return true;
  const auto within = [&](const auto& range) {
    return Contains(range.first, range.second, address, bytes);
  };
  // Allocations do not overlap: only the last that begins at or before `address` can hold it.
  const auto next = allocated_.upper_bound(address);
  if (next != allocated_.begin() && within(*std::prev(next))) return true;
  return std::ranges::any_of(granted_, within) ||
         std::ranges::any_of(modules_, [&](const auto& module) {
           return std::ranges::any_of(module.second.variables, within);
         });
}

bool Ownership::RoomForAllocation() const { return allocated_.size() < kMaxAllocations; }

bool Ownership::RoomForModule(std::size_t ptx_bytes) const {
  return modules_.size() < kMaxModules && ptx_bytes <= kMaxPtxBytes - ptx_bytes_;
}

void Ownership::AddModule(const ModuleInfo& module, std::size_t ptx_bytes) {
  Module& added = modules_[module.id];
  added.ptx_bytes = ptx_bytes;
  ptx_bytes_ += ptx_bytes;
  for (const VariableInfo& variable : module.variables) {
    added.variables.emplace(variable.address, variable.bytes);
  }
}

void Ownership::RemoveModule(ModuleId module) {
  const auto found = modules_.find(module);
  if (found == modules_.end()) return;
  ptx_bytes_ -= found->second.ptx_bytes;
  modules_.erase(found);
}

bool Ownership::NoteUnsupportedCall(std::string_view function) {
  if (!IsFunctionName(function) || unsupported_.size() >= kMaxUnsupportedCalls) return false;
  return unsupported_.emplace(function).second;
}

void Ownership::Release(Device& device) {
  for (const auto& [address, bytes] : allocated_) (void)device.Free(address);
  for (const auto& [id, module] : modules_) (void)device.UnloadModule(id);
  allocated_.clear();
  modules_.clear();
  granted_.clear();
  ptx_bytes_ = 0;
}

}  // namespace warpcheck::remote
