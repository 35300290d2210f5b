#include "cudart/graphs/graph_order.h"

#include <string>
#include <utility>

namespace warpcheck::cudart {

void GraphOrder::Begin(OrderWatch& watch, cudaStream_t stream, const Schedule& schedule) {
  order::Order* const order = watch.order();
  if (order == nullptr) return;
  if (first_ == 0) first_ = watch.NewHandles(schedule.steps.size() + 2);
  chains_ = schedule.chains;
  steps_ = schedule.steps.size();
  for (std::size_t i = 0; i < chains_; ++i) {
    order->AddStream(Chain(i), order::StreamKind::kNonBlocking);
  }
  const order::Handle line = watch.LineOf(stream);
  order->Wait(line, Ended());
  order->Record(Began(), line);
  watch.record().Waits(stream, Ended());
  watch.record().Recorded(Began(), stream);
}

void GraphOrder::EnterStep(OrderWatch& watch, const Schedule& schedule, std::size_t step) {
  order::Order* const order = watch.order();
  if (order == nullptr || first_ == 0) return;
  const Step& now = schedule.steps[step];
  const order::Handle line = Chain(now.chain);
  if (now.starts) order->Wait(line, Began());
  for (const std::size_t earlier : now.after) order->Wait(line, Finished(earlier));
  CallRecord::Node node{.chain = line};
  if (now.node != nullptr) node = {line, now.node->call, now.node->place};
  watch.record().EnterNode(node);
  if (now.starts) watch.record().Waits(nullptr, Began());
  for (const std::size_t earlier : now.after) watch.record().Waits(nullptr, Finished(earlier));
  if (now.node == nullptr) return;
  watch.EnterStep({.line = line, .call = now.node->call, .place = now.node->place});
}

void GraphOrder::LeaveStep(OrderWatch& watch, const Schedule& schedule, std::size_t step) {
  order::Order* const order = watch.order();
  const Step& now = schedule.steps[step];
  const bool records = order != nullptr && first_ != 0 && now.awaited;
  if (records) watch.record().Recorded(Finished(step), nullptr);
  watch.LeaveStep();
  if (records) order->Record(Finished(step), Chain(now.chain));
}

void GraphOrder::End(OrderWatch& watch, cudaStream_t stream, const Schedule& schedule) {
  order::Order* const order = watch.order();
  if (order == nullptr || first_ == 0) return;
  const order::Handle line = watch.LineOf(stream);
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    if (!schedule.steps[i].ends) continue;
    order->Wait(line, Finished(i));
    watch.record().Waits(stream, Finished(i));
  }
  order->Record(Ended(), line);
  watch.record().Recorded(Ended(), stream);
}

void GraphOrder::Forget(OrderWatch& watch) {
  order::Order* const order = watch.order();
  if (order == nullptr || first_ == 0) return;
  for (std::size_t i = 0; i < chains_; ++i) order->RemoveStream(Chain(i));
  for (std::size_t i = 0; i < steps_ + 2; ++i) order->RemoveEvent(first_ + i);
}

}  // namespace warpcheck::cudart
