// These types describe devices: addresses, extents, and properties.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "base/record.h"
#include "device/device_error.h"

namespace warpcheck {

// An address in the device's 64-bit address space. It is never a pointer into this process.
using DeviceAddress = std::uint64_t;

// An extent or a position in up to three dimensions; x is the fastest.
struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  // Returns x * y * z, which does not overflow for a legal grid (x < 2^31, y and z < 2^16).
  constexpr std::uint64_t Count() const { return std::uint64_t{x} * y * z; }

  friend auto operator<=>(const Dim3&, const Dim3&) = default;
};
WARPCHECK_FIELDS(Dim3, x, y, z);

// Returns "256", "32x8" or "32x8x2": trailing dimensions of 1 are left out.
std::string ExtentText(const Dim3& extent);

// Returns "(1, 0, 3)".
std::string PositionText(const Dim3& at);

// DeviceProperties has the properties of a device, which programs can query and launches must
// respect.
struct DeviceProperties {
  std::string name;  // such as "warpcheck emulator (sm_90)" or "NVIDIA H200"
  int compute_major = 0;
  int compute_minor = 0;
  std::uint64_t global_bytes = 0;
  std::uint32_t warp_size = 0;  // lanes of a warp
  std::uint32_t max_threads_per_block = 0;
  Dim3 max_block;
  Dim3 max_grid;
  std::uint32_t multiprocessors = 0;
  std::uint32_t max_threads_per_multiprocessor = 0;
  std::uint32_t max_blocks_per_multiprocessor = 0;
  std::uint32_t registers_per_block = 0;
  std::uint32_t registers_per_multiprocessor = 0;
  std::uint32_t max_registers_per_thread = 0;
  // Registers are allocated to each warp in multiples of this number.
  std::uint32_t register_allocation_unit = 0;
  std::uint32_t shared_bytes_per_block = 0;  // the limit without cudaFuncSetAttribute
  std::uint32_t shared_bytes_per_block_optin = 0;
  std::uint32_t shared_bytes_per_multiprocessor = 0;
  std::uint32_t shared_bytes_reserved_per_block = 0;
  std::uint32_t shared_allocation_unit = 0;  // bytes
  std::uint32_t constant_bytes = 0;
  std::uint32_t l2_bytes = 0;
  std::uint32_t memory_bus_bits = 0;
  std::uint32_t clock_khz = 0;
  std::uint32_t memory_clock_khz = 0;

  // Returns ten times the compute capability, as targets are named: 90 for sm_90.
  int target() const { return compute_major * 10 + compute_minor; }

  friend bool operator==(const DeviceProperties&, const DeviceProperties&) = default;
};
WARPCHECK_FIELDS(DeviceProperties, name, compute_major, compute_minor, global_bytes, warp_size,
                 max_threads_per_block, max_block, max_grid, multiprocessors,
                 max_threads_per_multiprocessor, max_blocks_per_multiprocessor, registers_per_block,
                 registers_per_multiprocessor, max_registers_per_thread, register_allocation_unit,
                 shared_bytes_per_block, shared_bytes_per_block_optin,
                 shared_bytes_per_multiprocessor, shared_bytes_reserved_per_block,
                 shared_allocation_unit, constant_bytes, l2_bytes, memory_bus_bits, clock_khz,
                 memory_clock_khz);

}  // namespace warpcheck
