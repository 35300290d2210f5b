// SeenCalls counts what a device sees of the host's calls, to compare it with the record that the
// host's process sends (order/host_call.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "device/device_error.h"
#include "device/types.h"
#include "order/host_call.h"

namespace warpcheck {

class SeenCalls {
 public:
  // Call these for requests of the host. `at` is the address that the host chose, or 0.
  void Allocated(DeviceAddress at, std::uint64_t bytes, DeviceError result);
  // A managed variable is memory of both sides at an address that the device chose.
  void HasManagedVariables() { knows_shared_ = false; }
  void Written(DeviceAddress to, std::uint64_t bytes);
  void Read(DeviceAddress from, std::uint64_t bytes);
  void Copied(DeviceAddress to, DeviceAddress from, std::uint64_t bytes);
  void Launched() { ++seen_.kernels; }

  // Returns true for memory that the host and the device share, at an address of the host. What
  // moves there, the runtime moves by itself.
  bool IsShared(DeviceAddress address) const;
  // Returns false if the host asked for memory at one of its addresses, which no GPU gives. Then
  // the runtime copies memory that both sides share, and nobody tells these copies from the host's.
  bool KnowsCopiesOfHost() const { return places_memory_; }

  // Returns what differs, such as "launches: the device saw 4, and ..."; empty if all agrees.
  std::string DifferenceTo(const HostCalls& calls) const;
  void Forget() { seen_ = {}; }  // forgets what was counted

 private:
  HostCallTotals seen_;
  std::map<DeviceAddress, std::uint64_t> shared_;  // bytes by address
  // False if the device cannot have memory at the host's addresses. Then it does not tell copies
  // from what the runtime moves.
  bool knows_shared_ = true;
  bool places_memory_ = true;  // false if the device has no memory at any address of the host
};

}  // namespace warpcheck
