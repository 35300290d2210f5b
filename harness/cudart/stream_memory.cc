#include "cudart/stream_memory.h"

#include <utility>

namespace warpcheck::cudart {

void NoteAllocation(Runtime& runtime, Lane lane, const void* pointer, std::uint64_t bytes) {
  HostEvent event = runtime.host.EventIn(lane, HostEvent::Kind::kAllocation);
  event.bytes = bytes;
  event.uses.uses = {{MemoryUse::Kind::kWrite, Address(pointer), Address(pointer) + bytes}};
  runtime.host.Append(std::move(event));
}

void NoteFree(Runtime& runtime, Lane lane, const void* pointer) {
  const Allocation* const allocation = runtime.memory.Find(pointer);
  if (allocation == nullptr) return;
  HostEvent event = runtime.host.EventIn(lane, HostEvent::Kind::kFree);
  event.bytes = allocation->bytes;
  event.uses.uses = {WriteOf(*allocation)};
  runtime.host.Append(std::move(event));
}

}  // namespace warpcheck::cudart
