// Appends events of memory that is allocated and freed in the order of a stream, or by a node of a
// graph.
#pragma once

#include <cstdint>

#include "cudart/order/lane.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {

void NoteAllocation(Runtime& runtime, Lane lane, const void* pointer, std::uint64_t bytes);
// Call this before the memory is freed. It appends nothing for unknown memory.
void NoteFree(Runtime& runtime, Lane lane, const void* pointer);

}  // namespace warpcheck::cudart
