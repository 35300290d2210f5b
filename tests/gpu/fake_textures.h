// Fakes the driver's arrays, texture objects and surface objects.
#pragma once

#include <cstddef>
#include <vector>

#include "gpu/driver_api.h"

namespace warpcheck::gpu {

void FillTextureCalls(DriverApi& api);

// An array of the fake driver: its texels lie row by row, without gaps.
struct FakeArray {
  CUDA_ARRAY3D_DESCRIPTOR description{};
  std::vector<std::byte> bytes{};
  std::size_t row_bytes = 0;
};
FakeArray& ArrayBehind(CUarray array);

}  // namespace warpcheck::gpu
