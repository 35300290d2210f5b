#include "cudart/graphs/graph_order.h"

#include <utility>

namespace warpcheck::cudart {
namespace {

using Kind = HostEvent::Kind;

void Append(HostSide& host, Kind kind, Lane lane, order::Handle event) {
  HostEvent one = host.EventIn(lane, kind);
  one.event = event;
  host.Append(std::move(one));
}

}  // namespace

void GraphOrder::Begin(HostSide& host, cudaStream_t stream, const Schedule& schedule) {
  if (first_ == 0) first_ = host.NewHandles(schedule.steps.size() + 2);
  chains_ = schedule.chains;
  steps_ = schedule.steps.size();
  for (std::size_t i = 0; i < chains_; ++i)
    host.Append({.kind = Kind::kStreamCreate,
                 .stream = Chain(i),
                 .stream_kind = order::StreamKind::kNonBlocking});
  Append(host, Kind::kStreamWait, stream, Ended());
  Append(host, Kind::kEventRecord, stream, Began());
}

LaunchedNode GraphOrder::BeginStep(HostSide& host, cudaStream_t stream, const Schedule& schedule,
                                   std::size_t step) const {
  const Step& now = schedule.steps[step];
  LaunchedNode node{.chain = Chain(now.chain)};
  if (now.node != nullptr) node = {node.chain, now.node->call, now.node->place};
  const Lane lane(stream, &node);
  if (now.starts) Append(host, Kind::kStreamWait, lane, Began());
  for (const std::size_t earlier : now.after)
    Append(host, Kind::kStreamWait, lane, Finished(earlier));
  return node;
}

void GraphOrder::EndStep(HostSide& host, const Lane& lane, const Schedule& schedule,
                         std::size_t step) const {
  if (schedule.steps[step].awaited) Append(host, Kind::kEventRecord, lane, Finished(step));
}

void GraphOrder::End(HostSide& host, cudaStream_t stream, const Schedule& schedule) const {
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    if (schedule.steps[i].ends) Append(host, Kind::kStreamWait, stream, Finished(i));
  }
  Append(host, Kind::kEventRecord, stream, Ended());
}

void GraphOrder::Forget(HostSide& host) const {
  if (first_ == 0) return;
  for (std::size_t i = 0; i < chains_; ++i)
    host.Append({.kind = Kind::kStreamDestroy, .stream = Chain(i)});
  for (std::size_t i = 0; i < steps_ + 2; ++i)
    host.Append({.kind = Kind::kEventDestroy, .event = first_ + i});
}

}  // namespace warpcheck::cudart
