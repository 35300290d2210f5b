#include "sandbox/fork_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "sandbox/child.h"
#include "sandbox/supervisor/descriptor_message.h"
#include "sandbox/supervisor/supervisor_protocol.h"

namespace warpcheck::sandbox {
namespace {

// Prevents endless waits. A fork server answers at once if the machine lets it run.
constexpr int kAnswerTimeoutMilliseconds = 600'000;

std::string AllOf(int pipe) {
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = ::read(pipe, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

// Returns the words of the orders, each with a null byte at its end.
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
  channels =
      Channels();  // closes our copy of the other end; then it closes when the fork server ends
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
    return Fail(fmt::format("a command of {} bytes is too long for the sandbox: at most {}",
                            message.size(), kForkServerMessageBytes));
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
  while ((ready = ::poll(&answer, 1, kAnswerTimeoutMilliseconds)) < 0 && errno == EINTR) {
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
