// DeviceError is what a device answers to a request. Its values are those of cudaError_t
// (driver_types.h), so that the runtime API passes them on unchanged.
#pragma once

#include <string_view>
#include <tl/expected.hpp>

namespace warpcheck {

enum class [[nodiscard]] DeviceError : int{
    kSuccess = 0,
    kInvalidValue = 1,
    kMemoryAllocation = 2,
    kInitializationError = 3,
    kInvalidConfiguration = 9,
    kInvalidDevicePointer = 17,
    kInvalidDeviceFunction = 98,
    kInvalidKernelImage = 200,
    kNoKernelImageForDevice = 209,
    kInvalidPtx = 218,
    kInvalidResourceHandle = 400,
    kSymbolNotFound = 500,
    kIllegalAddress = 700,
    kLaunchOutOfResources = 701,
    kLaunchTimeout = 702,
    kAssert = 710,
    kIllegalInstruction = 715,
    kMisalignedAddress = 716,
    kLaunchFailure = 719,
    kCooperativeLaunchTooLarge = 720,
    kNotSupported = 801,
    kUnknown = 999,
};

// True for errors after which CUDA refuses every further call of the process.
bool IsSticky(DeviceError error);

// Returns CUDA's name of the error, for example "cudaErrorIllegalAddress".
std::string_view CudaErrorName(DeviceError error);

template <class T>
using DeviceResult = tl::expected<T, DeviceError>;

}  // namespace warpcheck
