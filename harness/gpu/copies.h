// Copies and fills of boxes by the driver, finished when they return. Boxes lie in device memory,
// and are not empty.
#pragma once

#include <span>

#include "device/box.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

CUresult WriteRows(const DriverApi& api, const DeviceBox& to, const Extent3& extent,
                   std::span<const std::byte> bytes);
CUresult ReadRows(const DriverApi& api, const DeviceBox& from, const Extent3& extent,
                  std::span<std::byte> bytes);
// Boxes that overlap are copied as if there were a copy between.
CUresult CopyRows(const DriverApi& api, const DeviceBox& to, const DeviceBox& from,
                  const Extent3& extent);
CUresult FillRows(const DriverApi& api, const DeviceBox& to, const Extent3& extent,
                  std::byte value);

}  // namespace warpcheck::gpu
