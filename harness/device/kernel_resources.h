// The resources that ptxas gives the kernels of a build, as data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/record.h"

namespace warpcheck {

// All bytes are a thread's but the shared ones, which are a block's, and the constant ones.
struct KernelResources {
  std::string name;  // mangled
  std::uint32_t registers = 0;
  std::uint32_t stack_bytes = 0;  // local memory: arrays, what is spilled, and what it calls needs
  std::uint32_t spill_store_bytes = 0;  // of the instructions that spill, each counted once
  std::uint32_t spill_load_bytes = 0;   // of those that bring it back
  std::uint32_t shared_bytes = 0;       // static
  std::uint32_t constant_bytes = 0;

  bool spills() const { return spill_store_bytes + spill_load_bytes > 0; }

  friend bool operator==(const KernelResources&, const KernelResources&) = default;
};
WARPCHECK_FIELDS(KernelResources, name, registers, stack_bytes, spill_store_bytes, spill_load_bytes,
                 shared_bytes, constant_bytes);

struct ModuleResources {
  std::string digest;   // of its PTX, by which a module that is loaded is known
  std::string refusal;  // ptxas's first error, where it made nothing of the PTX
  std::vector<KernelResources> kernels;

  friend bool operator==(const ModuleResources&, const ModuleResources&) = default;
};
WARPCHECK_FIELDS(ModuleResources, digest, refusal, kernels);

}  // namespace warpcheck
