#include "sandbox/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <utility>

#include "base/descriptor.h"
#include "sandbox/call_filter.h"
#include "sandbox/channels.h"
#include "sandbox/child.h"
#include "sandbox/monitor.h"
#include "sandbox/sandbox.h"

extern "C" const char _binary_warpcheck_supervisor_start[];
extern "C" const char _binary_warpcheck_supervisor_end[];

namespace warpcheck::sandbox {

Result<int> SupervisorImage() {
  static const int image = [] {
    Descriptor file(::memfd_create("supervisor", MFD_CLOEXEC));
    const char* at = _binary_warpcheck_supervisor_start;
    while (file.get() >= 0 && at < _binary_warpcheck_supervisor_end) {
      const ssize_t written =
          ::write(file.get(), at, static_cast<std::size_t>(_binary_warpcheck_supervisor_end - at));
      if (written <= 0) return -1;
      at += written;
    }
    return ::fcntl(file.get(), F_DUPFD_CLOEXEC, 10);
  }();
  if (image < 0) return SystemFailure("make the supervisor's program in memory");
  return image;
}

std::string PathOf(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

std::vector<std::string> SupervisorOrders(const Command& command,
                                          const OrderedDescriptors& descriptors,
                                          bool owns_namespace) {
  const Limits& limits = command.limits;
  const auto cpu_seconds = std::max<long long>(1, limits.cpu_time.count());
  std::vector<std::string> words = {
      std::to_string(descriptors.control), std::to_string(descriptors.inherited),
      std::to_string(descriptors.image),   std::to_string(descriptors.filter),
      std::to_string(cpu_seconds),         std::to_string(limits.memory_bytes),
      std::to_string(limits.processes),    std::to_string(limits.file_bytes),
      std::to_string(limits.descriptors),  owns_namespace ? "namespace" : "descendants",
      command.directory.string(),          std::to_string(command.environment.size()),
  };
  const auto append = [&](const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  append(command.environment);
  append(command.arguments);
  return words;
}

namespace {

Result<Launched> StartSupervisor(const LaunchPlan& plan, const Channels& channels, int filter) {
  const auto image = WARPCHECK_TRY(SupervisorImage());
  const int inherited = plan.command.inherited_fd;
  std::vector<std::string> line = plan.prefix;
  line.push_back(PathOf(image));
  const OrderedDescriptors descriptors = {.control = channels.their_control(),
                                          .inherited = inherited,
                                          .image = image,
                                          .filter = filter};
  for (std::string& word : SupervisorOrders(plan.command, descriptors, !plan.prefix.empty())) {
    line.push_back(std::move(word));
  }
  auto child = StartChild({.stage = plan.stage,
                           .unprivileged = plan.unprivileged,
                           .input = channels.null(),
                           .output = channels.their_output(),
                           .errors = channels.their_errors(),
                           .kept = {channels.their_control(), image, filter, inherited}},
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
  launched->control = channels.TakeControl();
  launched->output = channels.TakeOutput();
  launched->errors = channels.TakeErrors();
  return launched;
}

namespace {

class Unconfined : public Sandbox {
 public:
  Result<std::unique_ptr<Process>> Start(const Command& command) override {
    LaunchPlan plan;
    plan.command = command;
    plan.command.calls = Calls::kAll;
    return Monitor::Start(std::move(plan));
  }
  bool isolates() const override { return false; }
};

}  // namespace

std::unique_ptr<Sandbox> MakeUnconfined() { return std::make_unique<Unconfined>(); }

}  // namespace warpcheck::sandbox
