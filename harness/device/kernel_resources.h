// KernelResources has the resources that ptxas gives a kernel. ModuleResources has the resources of
// all kernels of a module.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/record.h"

namespace warpcheck {

// The sizes are bytes of one thread, except shared memory, which belongs to a block, and constant
// memory.
struct KernelResources {
  std::string name;  // the mangled name
  std::uint32_t registers = 0;
  // Local memory: arrays, spilled values, and the frames of functions that it calls.
  std::uint32_t stack_bytes = 0;
  // Bytes of the instructions that spill, each instruction counted once.
  std::uint32_t spill_store_bytes = 0;
  std::uint32_t spill_load_bytes = 0;  // bytes of the instructions that load spilled values again
  std::uint32_t shared_bytes = 0;      // static shared memory
  std::uint32_t constant_bytes = 0;

  bool spills() const { return spill_store_bytes + spill_load_bytes > 0; }

  friend bool operator==(const KernelResources&, const KernelResources&) = default;
};
WARPCHECK_FIELDS(KernelResources, name, registers, stack_bytes, spill_store_bytes, spill_load_bytes,
                 shared_bytes, constant_bytes);

struct ModuleResources {
  std::string digest;   // the digest of its PTX, which identifies a loaded module
  std::string refusal;  // ptxas's first error, if it refused the PTX
  std::vector<KernelResources> kernels;

  friend bool operator==(const ModuleResources&, const ModuleResources&) = default;
};
WARPCHECK_FIELDS(ModuleResources, digest, refusal, kernels);

}  // namespace warpcheck
