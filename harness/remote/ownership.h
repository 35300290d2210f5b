// What of the device a host may use: the memory it allocated, the variables of its modules, and
// what the arguments of the current call grant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "device/device.h"
#include "remote/call.h"

namespace warpcheck::remote {

class Ownership {
 public:
  void Grant(const Call& call);  // in place of what an earlier call granted
  void EndGrants() { granted_.clear(); }

  // True where [address, address + bytes) lies within one range that the host may use, or is empty.
  bool MayUse(DeviceAddress address, std::uint64_t bytes) const;

  bool RoomForAllocation() const;
  void AddAllocation(DeviceAddress address, std::uint64_t bytes) { allocated_[address] = bytes; }
  bool OwnsAllocation(DeviceAddress address) const { return allocated_.contains(address); }
  void RemoveAllocation(DeviceAddress address) { allocated_.erase(address); }

  bool RoomForModule(std::size_t ptx_bytes) const;
  void AddModule(const ModuleInfo& module, std::size_t ptx_bytes);
  bool OwnsModule(ModuleId module) const { return modules_.contains(module); }
  void RemoveModule(ModuleId module);

  // True the first time a well-formed name of an unsupported function is noted, within the limits.
  bool NoteUnsupportedCall(std::string_view function);

  // Gives back to `device` all that the host still owns.
  void Release(Device& device);

 private:
  using Ranges = std::multimap<DeviceAddress, std::uint64_t>;  // address and bytes
  struct Module {
    Ranges variables;
    std::size_t ptx_bytes = 0;
  };

  std::map<DeviceAddress, std::uint64_t> allocated_;
  std::map<ModuleId, Module> modules_;
  Ranges granted_;
  std::set<std::string, std::less<>> unsupported_;
  std::size_t ptx_bytes_ = 0;
};

}  // namespace warpcheck::remote
