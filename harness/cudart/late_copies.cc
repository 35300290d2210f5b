#include "cudart/late_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cudart/misuse.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {
namespace {

template <class T>
bool Has(const std::vector<T>& list, T one) {
  return std::ranges::find(list, one) != list.end();
}

// The legacy default stream waits for all but those that do not block it.
bool WaitsForOthers(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

}  // namespace

void LateCopies::Add(cudaStream_t stream, Target target, std::string call) {
  copies_.push_back({.target = std::move(target),
                     .call = std::move(call),
                     .kernel = false,
                     .streams = {stream},
                     .events = {}});
}

void LateCopies::AddKernel(cudaStream_t stream, std::string kernel) {
  // One after another in the stream: whoever waits for the last has waited for all.
  std::erase_if(copies_, [=](const Copy& one) { return one.kernel && one.streams[0] == stream; });
  Copy last;
  last.call = std::move(kernel);
  last.kernel = true;
  last.streams = {stream};
  copies_.push_back(std::move(last));
}

bool LateCopies::IsBefore(const Copy& copy, cudaStream_t stream) {
  return Has(copy.streams, stream) || (WaitsForOthers(stream) && !copy.kernel);
}

void LateCopies::Deliver(Copy& copy) {
  Target& target = copy.target;
  if (!target.bytes.empty()) {
    MoveBox(target.host, target.strides, target.bytes.data(), Packed(target.extent), target.extent);
  }
  target.bytes.clear();
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
  Finish([=](const Copy& copy) { return IsBefore(copy, stream); });
}

void LateCopies::WaitFor(cudaEvent_t event) {
  Finish([=](const Copy& copy) { return Has(copy.events, event); });
}

void LateCopies::Recorded(cudaEvent_t event, cudaStream_t stream) {
  for (Copy& copy : copies_) {
    std::erase(copy.events, event);
    if (IsBefore(copy, stream)) copy.events.push_back(event);
  }
}

void LateCopies::StreamWaits(cudaStream_t stream, cudaEvent_t event, bool default_waits) {
  std::erase_if(copies_, [=](const Copy& copy) {
    return copy.kernel && default_waits && Has(copy.events, event);
  });
  for (Copy& copy : copies_) {
    if (Has(copy.events, event)) copy.streams.push_back(stream);
  }
}

void LateCopies::NoteLeftovers(Runtime& runtime) {
  for (Copy& copy : copies_) {
    Deliver(copy);
    if (copy.kernel) {
      NoteMisuse(runtime, FindingKind::kUnfinishedKernel,
                 fmt::format("nobody waits for the end of {} in a non-blocking stream: its results "
                             "may not be there yet when the default stream goes on",
                             copy.call));
      continue;
    }
    NoteMisuse(
        runtime, FindingKind::kUnfinishedCopy,
        fmt::format("nobody waits for the end of {}, which copies {} bytes to the host: what "
                    "the host reads there may still be the old bytes",
                    copy.call, copy.target.extent.Bytes()));
  }
  copies_.clear();
}

}  // namespace warpcheck::cudart
