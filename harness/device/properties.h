// What programs ask of a device, and what launches are checked against.
#pragma once

#include <cstdint>
#include <string>

#include "device/types.h"

namespace warpcheck {

struct DeviceProperties {
  std::string name;  // "warpcheck emulator (sm_90)", "NVIDIA H200"
  int compute_major = 0;
  int compute_minor = 0;
  std::uint64_t global_bytes = 0;
  std::uint32_t warp_size = 0;  // lanes
  std::uint32_t max_threads_per_block = 0;
  Dim3 max_block;
  Dim3 max_grid;
  std::uint32_t multiprocessors = 0;
  std::uint32_t max_threads_per_multiprocessor = 0;
  std::uint32_t max_blocks_per_multiprocessor = 0;
  std::uint32_t registers_per_block = 0;
  std::uint32_t registers_per_multiprocessor = 0;
  std::uint32_t max_registers_per_thread = 0;
  std::uint32_t register_allocation_unit = 0;  // registers a warp
  std::uint32_t shared_bytes_per_block = 0;    // without opting in
  std::uint32_t shared_bytes_per_block_optin = 0;
  std::uint32_t shared_bytes_per_multiprocessor = 0;
  std::uint32_t shared_bytes_reserved_per_block = 0;
  std::uint32_t shared_allocation_unit = 0;  // bytes
  std::uint32_t constant_bytes = 0;
  std::uint32_t l2_bytes = 0;
  std::uint32_t memory_bus_bits = 0;
  std::uint32_t clock_khz = 0;
  std::uint32_t memory_clock_khz = 0;
  // 1: textures and surfaces are descriptors in memory (device/texture_descriptor.h); 0: none.
  std::uint32_t texture_objects = 0;

  friend bool operator==(const DeviceProperties&, const DeviceProperties&) = default;
};

}  // namespace warpcheck
