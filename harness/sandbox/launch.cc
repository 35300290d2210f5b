#include "sandbox/launch.h"

#include <utility>

#include "sandbox/call_filter.h"
#include "sandbox/channels.h"
#include "sandbox/child.h"
#include "sandbox/warden_orders.h"

namespace warpcheck::sandbox {
namespace {

Result<Launched> StartWarden(const LaunchPlan& plan, const Channels& channels, int filter) {
  const auto image = WardenImage();
  if (!image) return Fail(image.error());
  const int inherited = plan.command.inherited_fd;
  std::vector<std::string> line = plan.prefix;
  line.push_back(PathOf(*image));
  const OrderedDescriptors descriptors = {.control = channels.their_control(),
                                          .inherited = inherited,
                                          .image = *image,
                                          .filter = filter};
  for (std::string& word : WardenOrders(plan.command, descriptors, !plan.prefix.empty())) {
    line.push_back(std::move(word));
  }
  auto child = StartChild({.stage = plan.stage,
                           .unprivileged = plan.unprivileged,
                           .input = channels.null(),
                           .output = channels.their_output(),
                           .errors = channels.their_errors(),
                           .kept = {channels.their_control(), *image, filter, inherited}},
                          std::move(line));
  if (!child) return Fail(child.error());
  Launched launched;
  launched.child = child->pid;
  launched.process = std::move(child->process);
  return launched;
}

}  // namespace

Result<Launched> Launch(const LaunchPlan& plan) {
  const auto filter = CallFilterFile(plan.command.calls);
  if (!filter) return Fail(filter.error());
  auto channels = Channels::Make();
  if (!channels) return Fail(channels.error());
  Result<Launched> launched = Launched();
  if (plan.keeper != nullptr) {
    auto process = plan.keeper->Start(plan.command, *channels, *filter);
    if (!process) return Fail(process.error());
    launched->process = std::move(*process);
  } else {
    launched = StartWarden(plan, *channels, *filter);
    if (!launched) return launched;
  }
  launched->control = channels->TakeControl();
  launched->output = channels->TakeOutput();
  launched->errors = channels->TakeErrors();
  return launched;
}

}  // namespace warpcheck::sandbox
