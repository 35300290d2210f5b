#include "sandbox/launch.h"

#include <utility>

#include "sandbox/call_filter.h"
#include "sandbox/child.h"
#include "sandbox/supervisor_start.h"

namespace warpcheck::sandbox {
namespace {

Result<Launched> StartSupervisor(const LaunchPlan& plan, const Channels& channels, int filter) {
  const auto image = WARPCHECK_TRY(SupervisorImage());
  const int inherited = plan.command.inherited_fd;
  std::vector<std::string> line = plan.prefix;
  line.push_back(PathOf(image));
  const OrderedDescriptors descriptors = {.control = channels.their_control.get(),
                                          .inherited = inherited,
                                          .image = image,
                                          .filter = filter};
  for (std::string& word : SupervisorOrders(plan.command, descriptors, !plan.prefix.empty())) {
    line.push_back(std::move(word));
  }
  auto child = StartChild({.stage = plan.stage,
                           .unprivileged = plan.unprivileged,
                           .input = channels.null.get(),
                           .output = channels.their_output.get(),
                           .errors = channels.their_errors.get(),
                           .kept = {channels.their_control.get(), image, filter, inherited}},
                          std::move(line));
  if (!child) return Fail(child.error());
  Launched launched;
  launched.child = child->pid;
  launched.process = std::move(child->process);
  return launched;
}

}  // namespace

Result<Launched> Launch(const LaunchPlan& plan) {
  const auto filter = WARPCHECK_TRY(CallFilterFile(plan.command.calls));
  auto channels = WARPCHECK_TRY(Channels::Make());
  Result<Launched> launched = Launched();
  if (plan.fork_server != nullptr) {
    launched->process = WARPCHECK_TRY(plan.fork_server->Start(plan.command, channels, filter));
  } else {
    launched = StartSupervisor(plan, channels, filter);
    if (!launched) return launched;
  }
  launched->control = std::move(channels.control);
  launched->output = std::move(channels.output);
  launched->errors = std::move(channels.errors);
  return launched;
}

}  // namespace warpcheck::sandbox
