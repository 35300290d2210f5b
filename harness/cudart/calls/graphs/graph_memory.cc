#include "cudart/calls/graphs/graph_memory.h"

#include <fmt/format.h>

#include <utility>

#include "cudart/misuse.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {

cudaError_t ReserveGraphMemory(Runtime& runtime, std::size_t bytes,
                               std::shared_ptr<GraphMemory>* memory) {
  auto reserved = std::make_shared<GraphMemory>();
  reserved->bytes = bytes;
  WARPCHECK_TRY_CODE(runtime.memory.AllocateDevice(*runtime.device, bytes, &reserved->pointer));
  runtime.graphs.AddMemory(reserved);
  *memory = std::move(reserved);
  return cudaSuccess;
}

std::optional<cudaError_t> FreeGraphMemory(Runtime& runtime, const void* pointer) {
  std::shared_ptr<GraphMemory> memory = runtime.graphs.MemoryAt(pointer);
  if (memory == nullptr) return std::nullopt;
  if (!memory->live) {
    NoteMisuse(runtime, FindingKind::kInvalidFree,
               fmt::format("{} cannot free its argument: it is memory of a graph, which no launch "
                           "has allocated since it was freed",
                           CurrentCall().Text()));
    return cudaErrorInvalidValue;
  }
  memory->live = false;
  memory.reset();
  runtime.misuse.Freed(pointer);
  ReleaseUnusedMemory(runtime);
  return cudaSuccess;
}

void ReleaseUnusedMemory(Runtime& runtime) {
  for (void* const pointer : runtime.graphs.TakeUnusedMemory()) {
    static_cast<void>(runtime.memory.Release(*runtime.device, pointer, "cudaFree"));
  }
}

}  // namespace warpcheck::cudart
