#include "device/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpcheck {

std::string ExtentText(const Dim3& extent) {
  if (extent.z != 1) return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
  if (extent.y != 1) return fmt::format("{}x{}", extent.x, extent.y);
  return fmt::format("{}", extent.x);
}

std::string PositionText(const Dim3& at) { return fmt::format("({}, {}, {})", at.x, at.y, at.z); }

bool IsSticky(DeviceError error) {
  using enum DeviceError;
  return IsOneOf(error, kIllegalAddress, kLaunchTimeout, kAssert, kIllegalInstruction,
                 kMisalignedAddress, kLaunchFailure, kUnknown);
}

std::string_view CudaErrorName(DeviceError error) {
  static constexpr std::pair<DeviceError, std::string_view> kNames[] = {
      {DeviceError::kSuccess, "cudaSuccess"},
      {DeviceError::kInvalidValue, "cudaErrorInvalidValue"},
      {DeviceError::kMemoryAllocation, "cudaErrorMemoryAllocation"},
      {DeviceError::kInitializationError, "cudaErrorInitializationError"},
      {DeviceError::kInvalidConfiguration, "cudaErrorInvalidConfiguration"},
      {DeviceError::kInvalidDevicePointer, "cudaErrorInvalidDevicePointer"},
      {DeviceError::kInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction"},
      {DeviceError::kInvalidKernelImage, "cudaErrorInvalidKernelImage"},
      {DeviceError::kNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice"},
      {DeviceError::kInvalidPtx, "cudaErrorInvalidPtx"},
      {DeviceError::kInvalidResourceHandle, "cudaErrorInvalidResourceHandle"},
      {DeviceError::kSymbolNotFound, "cudaErrorSymbolNotFound"},
      {DeviceError::kIllegalAddress, "cudaErrorIllegalAddress"},
      {DeviceError::kLaunchOutOfResources, "cudaErrorLaunchOutOfResources"},
      {DeviceError::kLaunchTimeout, "cudaErrorLaunchTimeout"},
      {DeviceError::kAssert, "cudaErrorAssert"},
      {DeviceError::kIllegalInstruction, "cudaErrorIllegalInstruction"},
      {DeviceError::kMisalignedAddress, "cudaErrorMisalignedAddress"},
      {DeviceError::kLaunchFailure, "cudaErrorLaunchFailure"},
      {DeviceError::kCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge"},
      {DeviceError::kNotSupported, "cudaErrorNotSupported"},
      {DeviceError::kUnknown, "cudaErrorUnknown"},
  };
  const auto* const row = std::ranges::find(kNames, error, [](const auto& r) { return r.first; });
  return row == std::end(kNames) ? "cudaErrorUnknown" : row->second;
}

}  // namespace warpcheck
