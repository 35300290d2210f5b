#include "remote/ownership.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/check.h"
#include "remote/protocol.h"

namespace warpcheck::remote {
namespace {

bool IsFunctionName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxUnsupportedCallBytes &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_';
         });
}

}  // namespace

void Ownership::Grant(const Call& call) {
  granted_ends_.clear();
  for (const Argument& argument : call.arguments) {
    const auto* pointer = std::get_if<DevicePointer>(&argument);
    if (pointer == nullptr || pointer->bytes == 0) continue;
    WARPCHECK_CHECK(pointer->bytes <= std::numeric_limits<DeviceAddress>::max() - pointer->address,
                    "a device pointer of a call reaches beyond the address space");
    DeviceAddress& end = granted_ends_[pointer->address];
    end = std::max(end, pointer->address + pointer->bytes);
  }
  DeviceAddress furthest = 0;
  for (auto& [address, end] : granted_ends_) end = furthest = std::max(furthest, end);
}

bool Ownership::Within(const Ranges& ranges, DeviceAddress address, std::uint64_t bytes) {
  const auto next = ranges.upper_bound(address);
  if (next == ranges.begin()) return false;
  const auto& [first, size] = *std::prev(next);
  return bytes <= size && address - first <= size - bytes;
}

bool Ownership::Granted(DeviceAddress address, std::uint64_t bytes) const {
  const auto next = granted_ends_.upper_bound(address);
  if (next == granted_ends_.begin()) return false;
  const DeviceAddress end = std::prev(next)->second;
  return address <= end && bytes <= end - address;
}

bool Ownership::MayUse(DeviceAddress address, std::uint64_t bytes) const {
  return bytes == 0 || Within(allocated_, address, bytes) || Within(variables_, address, bytes) ||
         Granted(address, bytes);
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
    // An empty one may share its address.
    if (variable.bytes == 0 || !variables_.emplace(variable.address, variable.bytes).second)
      continue;
    added.variables.push_back(variable.address);
  }
}

void Ownership::RemoveModule(ModuleId module) {
  const auto found = modules_.find(module);
  if (found == modules_.end()) return;
  ptx_bytes_ -= found->second.ptx_bytes;
  for (const DeviceAddress variable : found->second.variables) variables_.erase(variable);
  modules_.erase(found);
}

bool Ownership::NoteUnsupportedCall(std::string_view function) {
  if (!IsFunctionName(function) || unsupported_.size() >= kMaxUnsupportedCalls) return false;
  return unsupported_.emplace(function).second;
}

bool Ownership::NoteMisuse(std::string_view message) {
  if (misuses_.size() >= kMaxMisuses) return false;
  return misuses_.emplace(message).second;
}

DeviceError Ownership::Release(Device& device) {
  DeviceError first = DeviceError::kSuccess;
  const auto note = [&first](DeviceError error) {
    if (first == DeviceError::kSuccess) first = error;
  };
  for (const auto& [address, bytes] : allocated_) note(device.Free(address));
  for (const auto& [id, module] : modules_) note(device.UnloadModule(id));
  Forget();
  return first;
}

void Ownership::ForgetDevice() {
  allocated_.clear();
  variables_.clear();
  modules_.clear();
  granted_ends_.clear();
  ptx_bytes_ = 0;
}

void Ownership::Forget() {
  ForgetDevice();
  unsupported_.clear();
  misuses_.clear();
}

}  // namespace warpcheck::remote
