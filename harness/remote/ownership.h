// What of the device a host may use: the memory it allocated, the variables of its modules, and
// what the arguments of the current call grant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "remote/call.h"

namespace warpcheck::remote {

class Ownership {
 public:
  void Grant(const Call& call);  // in place of what an earlier call granted
  void EndGrants() { granted_ends_.clear(); }

  // True where [address, address + bytes) lies within one range that the host may use, or is empty.
  // Takes time logarithmic in the number of ranges, which the host chooses.
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
  // True the first time a message is noted, within the limits.
  bool NoteMisuse(std::string_view message);

  void ForgetDevice();  // memory, modules and grants
  void Forget();        // those, and what was noted

  // Gives back to `device` all that the host still owns, and forgets what was noted; the first
  // error of the device.
  DeviceError Release(Device& device);

 private:
  using Ranges = std::map<DeviceAddress, std::uint64_t>;  // address and bytes; none overlap
  struct Module {
    std::vector<DeviceAddress> variables;
    std::size_t ptx_bytes = 0;
  };

  static bool Within(const Ranges& ranges, DeviceAddress address, std::uint64_t bytes);
  bool Granted(DeviceAddress address, std::uint64_t bytes) const;

  Ranges allocated_;
  Ranges variables_;  // of all modules
  std::map<ModuleId, Module> modules_;
  // Grants may overlap. By the address of a grant: the furthest end of those that begin there or
  // before, so that a range is granted where the last one before it reaches far enough.
  std::map<DeviceAddress, DeviceAddress> granted_ends_;
  std::set<std::string, std::less<>> unsupported_;
  std::set<std::string, std::less<>> misuses_;
  std::size_t ptx_bytes_ = 0;
};

}  // namespace warpcheck::remote
