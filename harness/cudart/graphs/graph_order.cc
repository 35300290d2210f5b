#include "cudart/graphs/graph_order.h"

namespace warpcheck::cudart {

void GraphOrder::Begin(OrderWatch& watch, cudaStream_t stream, const Schedule& schedule) {
  if (first_ == 0) first_ = watch.NewHandles(schedule.steps.size() + 2);
  chains_ = schedule.chains;
  steps_ = schedule.steps.size();
  for (std::size_t i = 0; i < chains_; ++i) watch.AddChain(Chain(i));
  watch.Waits(stream, Ended());
  watch.Recorded(Began(), stream);
}

LaunchedNode GraphOrder::BeginStep(OrderWatch& watch, cudaStream_t stream, const Schedule& schedule,
                                   std::size_t step) const {
  const Step& now = schedule.steps[step];
  LaunchedNode node{.chain = Chain(now.chain)};
  if (now.node != nullptr) node = {node.chain, now.node->call, now.node->place};
  const Lane lane(stream, &node);
  if (now.starts) watch.Waits(lane, Began());
  for (const std::size_t earlier : now.after) watch.Waits(lane, Finished(earlier));
  return node;
}

void GraphOrder::EndStep(OrderWatch& watch, const Lane& lane, const Schedule& schedule,
                         std::size_t step) const {
  if (schedule.steps[step].awaited) watch.Recorded(Finished(step), lane);
}

void GraphOrder::End(OrderWatch& watch, cudaStream_t stream, const Schedule& schedule) const {
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    if (schedule.steps[i].ends) watch.Waits(stream, Finished(i));
  }
  watch.Recorded(Ended(), stream);
}

void GraphOrder::Forget(OrderWatch& watch) const {
  if (first_ == 0) return;
  for (std::size_t i = 0; i < chains_; ++i) watch.RemoveChain(Chain(i));
  for (std::size_t i = 0; i < steps_ + 2; ++i) watch.RemoveEvent(first_ + i);
}

}  // namespace warpcheck::cudart
