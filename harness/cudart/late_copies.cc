#include "cudart/late_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "cudart/misuse.h"

namespace warpcheck::cudart {
namespace {

template <class T>
bool Has(const std::vector<T>& list, T one) {
  return std::ranges::find(list, one) != list.end();
}

// Returns true for the legacy default stream, which waits for all streams except non-blocking ones.
bool WaitsForOthers(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

}  // namespace

void LateCopies::Add(cudaStream_t stream, Target target, std::string call) {
  JoinAlike();
  copies_.push_back({.target = std::move(target), .call = std::move(call), .streams = {stream}});
}

void LateCopies::AddKernel(cudaStream_t stream, std::string kernel) {
  // Kernels of a stream run one after another, so a wait for the last one covers all.
  Erase([=](const Copy& one) { return one.kernel && one.streams[0] == stream; });
  copies_.push_back({.call = std::move(kernel), .kernel = true, .streams = {stream}});
}

template <class Which>
void LateCopies::Erase(Which which) {
  std::erase_if(copies_, which);
  const auto waits = [](const Copy& copy) { return !copy.target.bytes.empty(); };
  delivered_ = static_cast<std::size_t>(std::ranges::find_if(copies_, waits) - copies_.begin());
}

void LateCopies::JoinAlike() {
  if (copies_.size() < most_) return;
  std::set<
      std::tuple<std::string, std::uint64_t, std::vector<cudaStream_t>, std::vector<cudaEvent_t>>>
      seen;
  Erase([&](const Copy& copy) {
    if (copy.kernel || !copy.target.bytes.empty()) return false;
    return !seen.emplace(copy.call, copy.target.extent.Bytes(), copy.streams, copy.events).second;
  });
  most_ = std::max(kFewCopies, 2 * copies_.size());
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
  for (; delivered_ < copies_.size(); ++delivered_) Deliver(copies_[delivered_]);
}

template <class Covered>
void LateCopies::Finish(Covered covered) {
  for (Copy& copy : copies_) {
    if (covered(copy)) Deliver(copy);
  }
  Erase(covered);
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
  Erase([=](const Copy& copy) { return copy.kernel && default_waits && Has(copy.events, event); });
  for (Copy& copy : copies_) {
    if (Has(copy.events, event) && !Has(copy.streams, stream)) copy.streams.push_back(stream);
  }
}

void LateCopies::NoteLeftovers(Runtime& runtime) {
  for (Copy& copy : copies_) {
    Deliver(copy);
    if (copy.kernel) {
      NoteMisuse(
          runtime, FindingKind::kUnfinishedKernel,
          fmt::format("the program does not wait for {} in a non-blocking stream: its results "
                      "may not be there yet when the default stream goes on",
                      copy.call));
      continue;
    }
    NoteMisuse(runtime, FindingKind::kUnfinishedCopy,
               fmt::format("the program does not wait for {}, which copies {} bytes to the host: "
                           "the host may still read the old bytes there",
                           copy.call, copy.target.extent.Bytes()));
  }
  Clear();
}

}  // namespace warpcheck::cudart
