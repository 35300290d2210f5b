#include "cudart/streams.h"

#include "cudart/call.h"

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
  events_[handle] = {.flags = flags, .recorded = {}};
  return handle;
}

bool StreamTable::Destroy(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
    return false;
  return streams_.erase(stream) != 0;
}

bool StreamTable::Destroy(cudaEvent_t event) { return events_.erase(event) != 0; }

const Stream* StreamTable::Find(cudaStream_t stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? nullptr : &found->second;
}

Event* StreamTable::Find(cudaEvent_t event) {
  const auto found = events_.find(event);
  return found == events_.end() ? nullptr : &found->second;
}

}  // namespace warpcheck::cudart
