// Implements the calls about properties and attributes of the device (CUDA Runtime API, "Device
// Management").
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
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

// A place on the PCI bus. The device is at 0000:19:00.0.
struct PciPlace {
  unsigned domain = 0;
  unsigned bus = kPciBus;
  unsigned device = 0;
  unsigned function = 0;

  bool operator==(const PciPlace&) const = default;
};

// Returns true if the whole text is hexadecimal numbers in this form of scanf, and stores them.
template <class... Number>
bool Reads(const char* text, const char* form, Number*... numbers) {
  int read = 0;
  constexpr int kWanted = sizeof...(Number);
  return std::sscanf(text, form, numbers..., &read) == kWanted && text[read] == '\0';
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

cudaError_t cudaDeviceGetPCIBusId(char* id, int bytes, int device) {
  return Call(Timing::kHost, [&](Runtime&) {
    const PciPlace here;
    const std::string text =
        fmt::format("{:04x}:{:02x}:{:02x}.{:x}", here.domain, here.bus, here.device, here.function);
    if (id == nullptr || bytes < 0 || static_cast<std::size_t>(bytes) <= text.size()) {
      return cudaErrorInvalidValue;
    }
    if (device != 0) return cudaErrorInvalidDevice;
    std::memcpy(id, text.c_str(), text.size() + 1);
    return cudaSuccess;
  });
}

// The function, or the domain, may be left out.
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return Call(Timing::kHost, [&](Runtime&) {
    if (device == nullptr || id == nullptr) return cudaErrorInvalidValue;
    PciPlace all;
    PciPlace no_function;
    PciPlace no_domain;
    const bool found =
        (Reads(id, "%x:%x:%x.%x%n", &all.domain, &all.bus, &all.device, &all.function) &&
         all == PciPlace()) ||
        (Reads(id, "%x:%x:%x%n", &no_function.domain, &no_function.bus, &no_function.device) &&
         no_function == PciPlace()) ||
        (Reads(id, "%x:%x.%x%n", &no_domain.bus, &no_domain.device, &no_domain.function) &&
         no_domain == PciPlace());
    if (!found) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
  });
}
