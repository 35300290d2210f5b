#include "cudart/late_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "cudart/misuse.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {
namespace {

template <class T>
bool Has(const std::vector<T>& list, T one) {
  return std::ranges::find(list, one) != list.end();
}

// The legacy default stream waits for the others.
bool WaitsForOthers(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

}  // namespace

void LateCopies::Add(cudaStream_t stream, std::byte* host, std::vector<std::byte> bytes,
                     std::string call) {
  const std::size_t size = bytes.size();
  copies_.push_back({.host = host,
                     .bytes = std::move(bytes),
                     .size = size,
                     .call = std::move(call),
                     .streams = {stream},
                     .events = {}});
}

void LateCopies::Deliver(Copy& copy) {
  if (!copy.bytes.empty()) std::memcpy(copy.host, copy.bytes.data(), copy.bytes.size());
  copy.bytes.clear();
}

void LateCopies::Deliver() {
  for (Copy& copy : copies_) Deliver(copy);
}

template <class Covered>
void LateCopies::Finish(Covered covered) {
  for (Copy& copy : copies_) {
    if (covered(copy)) Deliver(copy);
  }
  std::erase_if(copies_, covered);
}

void LateCopies::WaitForAll() {
  Finish([](const Copy&) { return true; });
}

void LateCopies::WaitFor(cudaStream_t stream) {
  Finish([=](const Copy& copy) { return WaitsForOthers(stream) || Has(copy.streams, stream); });
}

void LateCopies::WaitFor(cudaEvent_t event) {
  Finish([=](const Copy& copy) { return Has(copy.events, event); });
}

void LateCopies::Recorded(cudaEvent_t event, cudaStream_t stream) {
  for (Copy& copy : copies_) {
    std::erase(copy.events, event);
    if (WaitsForOthers(stream) || Has(copy.streams, stream)) copy.events.push_back(event);
  }
}

void LateCopies::StreamWaits(cudaStream_t stream, cudaEvent_t event) {
  for (Copy& copy : copies_) {
    if (Has(copy.events, event)) copy.streams.push_back(stream);
  }
}

void LateCopies::NoteLeftovers(Runtime& runtime) {
  for (Copy& copy : copies_) {
    Deliver(copy);
    NoteMisuse(
        runtime, FindingKind::kUnfinishedCopy,
        fmt::format("nobody waits for the end of {}, which copies {} bytes to the host: what "
                    "the host reads there may still be the old bytes",
                    copy.call, copy.size));
  }
  copies_.clear();
}

}  // namespace warpcheck::cudart
