// UsedMemory tells which memory an operation uses, at the addresses by which a HostEvent knows it:
// those of the host for memory that the host and the device share.
#pragma once

#include <vector>

#include "cudart/tables/memory_table.h"
#include "device/box.h"
#include "device/memory_use.h"
#include "order/host_call.h"

namespace warpcheck::cudart {

// A box of bytes that begins at a pointer.
struct Bytes {
  const void* pointer = nullptr;
  Strides strides;
};

// Returns the kind of memory that a pointer points to, as a copy knows it.
HostCall::Memory MemoryAt(const MemoryTable& table, const void* pointer);

// Adds the rows of a box to `uses`; leaves out those beyond a limit, and says so in `uses`.
void AddRows(const MemoryTable& table, MemoryUse::Kind kind, const Bytes& box,
             const Extent3& extent, LaunchUses& uses);

// Returns all bytes of an allocation, as a write.
MemoryUse WriteOf(const Allocation& allocation);

struct LaunchMemory {
  LaunchUses uses;
  // Bytes of host memory that the kernel wrote and that the host must not see yet. There are none
  // if the kernel may talk to the host.
  std::vector<MemoryUse> unseen;
  bool tells_the_host = false;  // by atomics or volatile accesses to memory of both
};
// Returns the memory of a launch, whose device has told `uses` at its own addresses.
LaunchMemory MemoryOfLaunch(const MemoryTable& table, LaunchUses uses);

}  // namespace warpcheck::cudart
