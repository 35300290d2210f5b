// ForbiddenStores watches the arrays of a caller for stores of kernels to bytes that must stay as
// they are, whatever is stored: a comparison at the end would not see a value that was put back.
#pragma once

#include <map>
#include <vector>

#include "device/device.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

class ForbiddenStores : public Observer {
 public:
  // Takes the place of what was forbidden in the allocation at `address` before.
  void Forbid(DeviceAddress address, std::vector<ForbiddenRange> ranges);

  void OnAccess(const AccessEvent& event) override;

 private:
  // By the begin of an allocation; sorted and apart from each other. They hold device addresses.
  std::map<DeviceAddress, std::vector<ForbiddenRange>> forbidden_;
};

}  // namespace warpcheck::emulator
