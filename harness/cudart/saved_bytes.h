// SavedBytes holds the bytes of a box of host memory while work of the device writes there, so that
// the host can have the old ones until it waits (order/late_writes.h).
#pragma once

#include <cstddef>
#include <vector>

#include "device/box.h"
#include "order/host_event.h"

namespace warpcheck::cudart {

class SavedBytes {
 public:
  SavedBytes(std::byte* host, const Strides& strides, const Extent3& extent);
  // Returns the new bytes, and puts the old ones back.
  order::LateWrite TakeNew();

 private:
  std::byte* host_;
  Strides strides_;
  Extent3 extent_;
  std::vector<std::byte> old_;
};

}  // namespace warpcheck::cudart
