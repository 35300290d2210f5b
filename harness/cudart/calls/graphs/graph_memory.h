// Graphs own the memory that their nodes allocate: it lies at one address as long as a node may
// allocate it again, and is allocated and freed by launches (CUDA Programming Guide, "Graph Memory
// Nodes").
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "cudart/graphs/node.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {

// Makes the memory of a new node. It is not live until a launch allocates it.
cudaError_t ReserveGraphMemory(Runtime& runtime, std::size_t bytes,
                               std::shared_ptr<GraphMemory>* memory);

// Frees memory of a graph for cudaFree and cudaFreeAsync. Fails with cudaErrorInvalidValue, and
// reports it, if no launch has allocated the memory, or it was freed since. Returns nothing for
// other memory.
std::optional<cudaError_t> FreeGraphMemory(Runtime& runtime, const void* pointer);

// Gives memory back to the device that no node and no program can use any more. Call it when a
// graph or an executable graph was destroyed.
void ReleaseUnusedMemory(Runtime& runtime);

}  // namespace warpcheck::cudart
