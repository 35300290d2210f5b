#include "device/device_error.h"

namespace warpcheck {

bool IsSticky(DeviceError error) {
  switch (error) {
    case DeviceError::kIllegalAddress:
    case DeviceError::kLaunchTimeout:
    case DeviceError::kAssert:
    case DeviceError::kIllegalInstruction:
    case DeviceError::kMisalignedAddress:
    case DeviceError::kLaunchFailure:
    case DeviceError::kUnknown:
      return true;
    default:
      return false;
  }
}

std::string_view CudaErrorName(DeviceError error) {
  switch (error) {
    case DeviceError::kSuccess:
      return "cudaSuccess";
    case DeviceError::kInvalidValue:
      return "cudaErrorInvalidValue";
    case DeviceError::kMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case DeviceError::kInitializationError:
      return "cudaErrorInitializationError";
    case DeviceError::kInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case DeviceError::kInvalidDevicePointer:
      return "cudaErrorInvalidDevicePointer";
    case DeviceError::kInvalidDeviceFunction:
      return "cudaErrorInvalidDeviceFunction";
    case DeviceError::kInvalidKernelImage:
      return "cudaErrorInvalidKernelImage";
    case DeviceError::kNoKernelImageForDevice:
      return "cudaErrorNoKernelImageForDevice";
    case DeviceError::kInvalidPtx:
      return "cudaErrorInvalidPtx";
    case DeviceError::kInvalidResourceHandle:
      return "cudaErrorInvalidResourceHandle";
    case DeviceError::kSymbolNotFound:
      return "cudaErrorSymbolNotFound";
    case DeviceError::kIllegalAddress:
      return "cudaErrorIllegalAddress";
    case DeviceError::kLaunchOutOfResources:
      return "cudaErrorLaunchOutOfResources";
    case DeviceError::kLaunchTimeout:
      return "cudaErrorLaunchTimeout";
    case DeviceError::kAssert:
      return "cudaErrorAssert";
    case DeviceError::kIllegalInstruction:
      return "cudaErrorIllegalInstruction";
    case DeviceError::kMisalignedAddress:
      return "cudaErrorMisalignedAddress";
    case DeviceError::kLaunchFailure:
      return "cudaErrorLaunchFailure";
    case DeviceError::kCooperativeLaunchTooLarge:
      return "cudaErrorCooperativeLaunchTooLarge";
    case DeviceError::kNotSupported:
      return "cudaErrorNotSupported";
    case DeviceError::kUnknown:
      return "cudaErrorUnknown";
  }
  return "cudaErrorUnknown";
}

}  // namespace warpcheck
