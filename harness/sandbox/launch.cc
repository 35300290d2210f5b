#include "sandbox/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "sandbox/call_filter.h"
#include "sandbox/child.h"
#include "sandbox/descriptor_message.h"
#include "sandbox/monitor.h"
#include "sandbox/sandbox.h"
#include "sandbox/supervisor_protocol.h"

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

namespace {

// A guard against waiting for ever: a fork server does nothing that takes long, if it is let to.
constexpr int kPatienceMilliseconds = 600'000;

std::string AllOf(int pipe) {
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = ::read(pipe, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

// The words of the orders, each ended by a null byte.
std::string MessageOf(const std::vector<std::string>& words) {
  std::string message;
  for (const std::string& word : words) message.append(word.c_str(), word.size() + 1);
  return message;
}

}  // namespace

Result<std::shared_ptr<ForkServer>> ForkServer::Make(std::vector<std::string> prefix,
                                                     const std::string& program,
                                                     const MountStage& stage,
                                                     unsigned unprivileged) {
  const auto image = WARPCHECK_TRY(SupervisorImage());
  auto channels = WARPCHECK_TRY(Channels::Make());
  prefix.push_back(program.empty() ? PathOf(image) : program);
  prefix.emplace_back(kForkServerWord);
  auto child = StartChild({.stage = stage,
                           .unprivileged = unprivileged,
                           .input = channels.null.get(),
                           .output = channels.their_output.get(),
                           .errors = channels.their_errors.get(),
                           .third = channels.their_control.get(),
                           .same_addresses = true,
                           .kept = {image}},
                          std::move(prefix));
  if (!child) return Fail(child.error());
  std::shared_ptr<ForkServer> fork_server(new ForkServer);
  fork_server->child_ = child->pid;
  fork_server->bwrap_ = std::move(child->process);
  fork_server->control_ = std::move(channels.control);
  fork_server->output_ = std::move(channels.output);
  fork_server->errors_ = std::move(channels.errors);
  channels = Channels();  // so that the other end closes with the fork server
  auto ready = fork_server->Answer();
  if (ready) {
    fork_server->fork_server_ = *std::move(ready);
    return fork_server;
  }
  AwaitEnd(fork_server->bwrap_.get());
  const std::string said = AllOf(fork_server->errors_.get());
  return Fail(said.empty() ? ready.error().message : said);
}

ForkServer::~ForkServer() {
  control_.Close();
  if (fork_server_.get() >= 0) AwaitEnd(fork_server_.get());
  AwaitEnd(bwrap_.get());
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool ForkServer::alive() const {
  const std::lock_guard lock(mutex_);
  pollfd end = {.fd = control_.get(), .events = 0, .revents = 0};
  int ended;
  while ((ended = ::poll(&end, 1, 0)) < 0 && errno == EINTR) {
  }
  return control_.get() >= 0 && ended == 0;
}

Result<Descriptor> ForkServer::Start(const Command& command, const Channels& channels, int filter) {
  const OrderedDescriptors descriptors = {.control = channels.their_control.get(),
                                          .inherited = command.inherited_fd,
                                          .image = -1,
                                          .filter = filter};
  const std::string message = MessageOf(SupervisorOrders(command, descriptors, true));
  if (message.size() > kForkServerMessageBytes) {
    return Fail(fmt::format("a command of {} bytes is too long for a jail", message.size()));
  }
  DescriptorMessage sent;
  for (const int descriptor : {channels.their_control.get(), channels.their_output.get(),
                               channels.their_errors.get(), filter, command.inherited_fd}) {
    if (descriptor >= 0) sent.descriptors[sent.count++] = descriptor;
  }
  const std::lock_guard lock(mutex_);
  if (control_.get() < 0) return Fail("the first process of the sandbox is gone");
  if (!Send(control_.get(), message.data(), message.size(), sent)) {
    return GiveUp("takes no orders");
  }
  return Answer();
}

Result<Descriptor> ForkServer::Answer() {
  pollfd answer = {.fd = control_.get(), .events = POLLIN, .revents = 0};
  int ready;
  while ((ready = ::poll(&answer, 1, kPatienceMilliseconds)) < 0 && errno == EINTR) {
  }
  if (ready != 1) return GiveUp("does not answer");
  int error = 0;
  DescriptorMessage taken;
  const bool whole = Receive(control_.get(), &error, sizeof error, taken) == sizeof error;
  Descriptor supervisor(taken.count == 1 ? taken.descriptors[0] : -1);
  if (!whole) return GiveUp("has ended");
  if (error == 0 && supervisor.get() < 0) return GiveUp("gives no descriptor to wait for");
  if (error == 0) return supervisor;
  return Fail(fmt::format("cannot start a process in the sandbox: {}", std::strerror(error)));
}

tl::unexpected<Error> ForkServer::GiveUp(std::string_view why) {
  control_.Close();
  return Fail(fmt::format("the first process of the sandbox {}", why));
}

}  // namespace warpcheck::sandbox
