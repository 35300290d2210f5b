#include "cudart/tables/stream_table.h"

namespace warpcheck::cudart {

StreamTable::StreamTable() { Clear(); }

void StreamTable::Clear() {
  streams_.clear();
  events_.clear();
  streams_[nullptr] = streams_[cudaStreamLegacy] = {.id = 1};
  streams_[cudaStreamPerThread] = {.id = 2, .flags = cudaStreamNonBlocking};
}

cudaStream_t StreamTable::CreateStream(unsigned flags, int priority) {
  const std::uint64_t number = NextHandle();
  const auto handle = reinterpret_cast<cudaStream_t>(number);
  streams_[handle] = {.id = number, .flags = flags, .priority = priority};
  return handle;
}

cudaEvent_t StreamTable::CreateEvent(unsigned flags) {
  const auto handle = reinterpret_cast<cudaEvent_t>(NextHandle());
  events_[handle] = {.flags = flags};
  return handle;
}

bool StreamTable::Destroy(cudaStream_t stream, std::uint64_t place) {
  if (IsDefault(stream) || !Knows(stream)) return false;
  destroyed_[stream] = {HandleKind::kStream, place};
  return streams_.erase(stream) != 0;
}

bool StreamTable::Destroy(cudaEvent_t event, std::uint64_t place) {
  if (Find(event) == nullptr) return false;
  destroyed_[event] = {HandleKind::kEvent, place};
  return events_.erase(event) != 0;
}

std::optional<DestroyedHandle> StreamTable::Destroyed(const void* handle) const {
  const auto found = destroyed_.find(handle);
  return found == destroyed_.end() ? std::nullopt : std::optional(found->second);
}

const Stream* StreamTable::Find(cudaStream_t stream) const {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) unknown_ = stream;
  return found == streams_.end() ? nullptr : &found->second;
}

// The per-thread default stream is a blocking one (CUDA Runtime API, "Stream synchronization
// behavior").
bool StreamTable::DefaultWaitsFor(cudaStream_t stream) const {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return false;
  return stream == cudaStreamPerThread || (found->second.flags & cudaStreamNonBlocking) == 0;
}

Event* StreamTable::Find(cudaEvent_t event) {
  const auto found = events_.find(event);
  if (found == events_.end()) unknown_ = event;
  return found == events_.end() ? nullptr : &found->second;
}

}  // namespace warpcheck::cudart
