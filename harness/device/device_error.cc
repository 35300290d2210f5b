#include "device/device_error.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/record.h"

namespace warpcheck {

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
