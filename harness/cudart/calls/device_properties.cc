// Implements the calls about properties and attributes of the device (CUDA Runtime API, "Device
// Management").
#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "cudart/call.h"

namespace warpcheck::cudart {
namespace {

constexpr std::size_t kAbsent = ~std::size_t{0};
constexpr std::size_t kMaxPitch = 0x7FFFFFFF;  // in bytes
constexpr int kCopyEngines = 3;
constexpr int kPciBus = 0x19;  // the PCI bus of the device, the same on any machine
constexpr std::size_t kNameBytes = 256;

enum class Layout { kCuda13, kCuda12 };

constexpr std::size_t BytesOf(Layout layout) { return layout == Layout::kCuda13 ? 1008 : 1032; }

#if CUDART_VERSION >= 13000
static_assert(sizeof(cudaDeviceProp) == BytesOf(Layout::kCuda13));
#else
static_assert(sizeof(cudaDeviceProp) == BytesOf(Layout::kCuda12));
#endif

template <class Member, class Value>
void Put(std::byte* at, const Value& value) {
  if constexpr (std::is_same_v<Member, Dim3>) {
    const std::array<std::uint32_t, 3> extents = {value.x, value.y, value.z};
    std::memcpy(at, extents.data(), sizeof(extents));
  } else {
    const auto member = static_cast<Member>(value);
    std::memcpy(at, &member, sizeof(member));
  }
}

cudaError_t GetProperties(void* out, int device, Layout layout) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (out == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const DeviceProperties& p = runtime.device->Properties();
    std::array<std::byte, std::max(BytesOf(Layout::kCuda13), BytesOf(Layout::kCuda12))> bytes{};
    std::memcpy(bytes.data(), p.name.data(), std::min(p.name.size(), kNameBytes - 1));
#define PROPERTY(member, type, offset13, offset12, value)                                      \
  if (const std::size_t at = layout == Layout::kCuda13 ? offset13 : offset12; at != kAbsent) { \
    Put<type>(bytes.data() + at, value);                                                       \
  }
#include "cudart/calls/properties.def"
#undef PROPERTY
    std::memcpy(out, bytes.data(), BytesOf(layout));
    return cudaSuccess;
  });
}

}  // namespace

// CUDA 12's header renames the first function to the second, which has a different struct.
extern "C" cudaError_t GetProperties13(void*, int) __asm__("cudaGetDeviceProperties");
extern "C" cudaError_t GetProperties12(void*, int) __asm__("cudaGetDeviceProperties_v2");

extern "C" cudaError_t GetProperties13(void* properties, int device) {
  return GetProperties(properties, device, Layout::kCuda13);
}

extern "C" cudaError_t GetProperties12(void* properties, int device) {
  return GetProperties(properties, device, Layout::kCuda12);
}

}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const warpcheck::DeviceProperties& p = runtime.device->Properties();
    switch (attribute) {
#define ATTRIBUTE(name, expression)        \
  case cudaDevAttr##name:                  \
    *value = static_cast<int>(expression); \
    return cudaSuccess;
#include "cudart/calls/attributes.def"
#undef ATTRIBUTE
      default:
        break;
    }
    if (attribute < cudaDevAttrMaxThreadsPerBlock || attribute >= cudaDevAttrMax) {
      return cudaErrorInvalidValue;
    }
    return NotSupported(
        runtime,
        "cudaDeviceGetAttribute of an attribute that concerns mipmaps or other missing features");
  });
}
