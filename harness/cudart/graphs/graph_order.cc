#include "cudart/graphs/graph_order.h"

namespace warpcheck::cudart {

using Kind = HostEvent::Kind;

void GraphOrder::Begin(HostSide& host, cudaStream_t stream, const Schedule& schedule) {
  if (first_ == 0) first_ = host.NewHandles(schedule.steps.size() + 2);
  chains_ = schedule.chains;
  steps_ = schedule.steps.size();
  for (std::size_t i = 0; i < chains_; ++i) {
    host.Append({.kind = Kind::kStreamCreate,
                 .stream = Chain(i),
                 .stream_kind = order::StreamKind::kNonBlocking});
  }
  host.Append(host.EventIn(stream, Kind::kStreamWait, Ended()));
  host.Append(host.EventIn(stream, Kind::kEventRecord, Began()));
}

LaunchedNode GraphOrder::BeginStep(HostSide& host, cudaStream_t stream, const Schedule& schedule,
                                   std::size_t step) const {
  const Step& now = schedule.steps[step];
  LaunchedNode node{.chain = Chain(now.chain)};
  if (now.node != nullptr) node = {node.chain, now.node->call, now.node->place};
  const Lane lane(stream, &node);
  if (now.starts) host.Append(host.EventIn(lane, Kind::kStreamWait, Began()));
  for (const std::size_t earlier : now.after) {
    host.Append(host.EventIn(lane, Kind::kStreamWait, Finished(earlier)));
  }
  return node;
}

void GraphOrder::EndStep(HostSide& host, const Lane& lane, const Schedule& schedule,
                         std::size_t step) const {
  if (schedule.steps[step].awaited)
    host.Append(host.EventIn(lane, Kind::kEventRecord, Finished(step)));
}

void GraphOrder::End(HostSide& host, cudaStream_t stream, const Schedule& schedule) const {
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    if (schedule.steps[i].ends) host.Append(host.EventIn(stream, Kind::kStreamWait, Finished(i)));
  }
  host.Append(host.EventIn(stream, Kind::kEventRecord, Ended()));
}

void GraphOrder::Forget(HostSide& host) const {
  if (first_ == 0) return;
  for (std::size_t i = 0; i < chains_; ++i) {
    host.Append({.kind = Kind::kStreamDestroy, .stream = Chain(i)});
  }
  for (std::size_t i = 0; i < steps_ + 2; ++i) {
    host.Append({.kind = Kind::kEventDestroy, .event = first_ + i});
  }
}

}  // namespace warpcheck::cudart
