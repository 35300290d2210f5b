#include "cudart/late_copies.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cudart/misuse.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {
namespace {

constexpr order::Handle kDefaultLine = 1;

order::Handle NumberOf(cudaEvent_t event) { return reinterpret_cast<order::Handle>(event); }

}  // namespace

LateCopies::LateCopies() { lines_.AddStream(kDefaultLine, order::StreamKind::kLegacy, 0); }

order::Handle LateCopies::HandleOf(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy) return kDefaultLine;
  const auto handle = reinterpret_cast<order::Handle>(stream);
  if (!lines_.Knows(handle)) {
    lines_.AddStream(handle, order::StreamKind::kBlocking, lines_.FreeLine());
  }
  return handle;
}

void LateCopies::StreamCreated(cudaStream_t stream, unsigned flags) {
  const bool blocking = (flags & cudaStreamNonBlocking) == 0;
  lines_.AddStream(reinterpret_cast<order::Handle>(stream),
                   blocking ? order::StreamKind::kBlocking : order::StreamKind::kNonBlocking,
                   lines_.FreeLine());
}

void LateCopies::StreamDestroyed(cudaStream_t stream) { lines_.RemoveStream(HandleOf(stream)); }

void LateCopies::EventDestroyed(cudaEvent_t event) { lines_.RemoveEvent(NumberOf(event)); }

void LateCopies::Remember(Call call, const order::Moment& moment) {
  call.line = moment.line;
  const auto [found, is_new] =
      calls_.try_emplace(std::move(call), Last{.number = calls_.size(), .moment = moment});
  if (!is_new) found->second.moment = moment;
}

void LateCopies::Add(cudaStream_t stream, Target target, const CallSite& call) {
  const order::Moment moment = lines_.Run(HandleOf(stream));
  Remember({.text = call.Text(), .place = call.address, .bytes = target.extent.Bytes()}, moment);
  AddLate(std::move(target), moment);
}

void LateCopies::AddWrites(cudaStream_t stream, std::vector<Target> targets) {
  if (targets.empty()) return;
  const order::Moment moment = lines_.Run(HandleOf(stream));
  for (Target& target : targets) AddLate(std::move(target), moment);
}

void LateCopies::AddKernel(cudaStream_t stream, std::string kernel, std::uint64_t place) {
  const order::Moment moment = lines_.Run(HandleOf(stream));
  Remember({.text = std::move(kernel), .place = place, .kernel = true}, moment);
}

void LateCopies::AddLate(Target target, const order::Moment& moment) {
  const auto begin = reinterpret_cast<std::uintptr_t>(target.host);
  const std::uintptr_t end = begin + SpanOf(target.strides, target.extent).value_or(0);
  late_[begin] = {.end = end, .target = std::move(target), .moment = moment};
  queues_[moment.line].emplace_back(moment.time, begin);
}

LateCopies::LateMap::iterator LateCopies::Deliver(LateMap::iterator late) {
  const Target& target = late->second.target;
  MoveBox(target.host, target.strides, target.bytes.data(), Packed(target.extent), target.extent);
  return late_.erase(late);
}

void LateCopies::Deliver() {
  for (auto late = late_.begin(); late != late_.end();) late = Deliver(late);
  queues_.clear();
}

void LateCopies::Deliver(const void* start, std::uint64_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(start);
  auto late = late_.lower_bound(begin);
  if (late != late_.begin() && std::prev(late)->second.end > begin) --late;
  while (late != late_.end() && late->first - begin < bytes) late = Deliver(late);
}

void LateCopies::DeliverFinished() {
  for (auto& [line, queue] : queues_) {
    while (!queue.empty()) {
      const auto [time, begin] = queue.front();
      const order::Moment moment{.line = line, .time = time};
      if (!lines_.IsBeforeHost(moment)) break;
      queue.pop_front();
      const auto late = late_.find(begin);
      if (late != late_.end() && late->second.moment == moment) Deliver(late);
    }
  }
}

void LateCopies::WaitForAll() {
  lines_.HostWaitsForAll();
  DeliverFinished();
}

void LateCopies::WaitFor(cudaStream_t stream) {
  lines_.HostWaitsForStream(HandleOf(stream));
  DeliverFinished();
}

void LateCopies::WaitFor(cudaEvent_t event) {
  if (lines_.HostWaitsForEvent(NumberOf(event))) DeliverFinished();
}

void LateCopies::Recorded(cudaEvent_t event, cudaStream_t stream) {
  lines_.Record(NumberOf(event), HandleOf(stream));
}

void LateCopies::StreamWaits(cudaStream_t stream, cudaEvent_t event) {
  lines_.Wait(HandleOf(stream), NumberOf(event));
}

bool LateCopies::IsFinished(const Call& call, const order::Moment& moment) {
  if (lines_.IsBeforeHost(moment)) return true;
  return call.kernel && lines_.IsBeforeNext(moment, kDefaultLine);
}

void LateCopies::NoteLeftovers(Runtime& runtime) {
  Deliver();
  std::map<std::uint64_t, const Call*> leftovers;
  for (const auto& [call, last] : calls_) {
    if (!IsFinished(call, last.moment)) leftovers[last.number] = &call;
  }
  for (const auto& [number, call] : leftovers) {
    Finding finding{.kind = FindingKind::kUnfinishedKernel,
                    .where = runtime.lines.OfCall(call->place)};
    if (call->kernel) {
      finding.message = fmt::format(
          "the program does not wait for {} in a non-blocking stream: its results "
          "may not be there yet when the default stream goes on",
          call->text);
    } else {
      finding.kind = FindingKind::kUnfinishedCopy;
      finding.message = fmt::format(
          "the program does not wait for {}, which copies {} to the host: "
          "the host may still read the old bytes there",
          call->text, Counted(call->bytes, "byte"));
    }
    NoteMisuse(runtime, finding);
  }
  calls_.clear();
}

KeptBytes::KeptBytes(std::byte* host, const Strides& strides, const Extent3& extent)
    : old_{.host = host, .strides = strides, .extent = extent} {
  old_.bytes.resize(extent.Bytes());
  MoveBox(old_.bytes.data(), Packed(extent), host, strides, extent);
}

LateCopies::Target KeptBytes::TakeNew() {
  LateCopies::Target now{.host = old_.host, .strides = old_.strides, .extent = old_.extent};
  now.bytes.resize(old_.bytes.size());
  const Strides packed = Packed(old_.extent);
  MoveBox(now.bytes.data(), packed, old_.host, old_.strides, old_.extent);
  MoveBox(old_.host, old_.strides, old_.bytes.data(), packed, old_.extent);
  return now;
}

}  // namespace warpcheck::cudart
