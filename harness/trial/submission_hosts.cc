#include "trial/submission_hosts.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "sandbox/bubblewrap.h"

namespace warpcheck {
namespace {

// The limit of open files: the host's program, the submission, their libraries, and some room.
constexpr std::uint32_t kDescriptors = 64;

// The wall time of a host is this many times the time that it may use (sandbox::Limits::wall_time).
constexpr int kGuardFactor = 120;

// These are paths inside of the sandbox.
constexpr char kProgram[] = "/submission_host";
constexpr char kSharedObject[] = "/submission.so";

constexpr char kLibraries[] = "/libs";  // the folder where an installed program finds its libraries

}  // namespace

Result<std::unique_ptr<sandbox::Sandbox>> SubmissionHosts::MakeJail(const Settings& settings) {
  const std::filesystem::path program = std::filesystem::absolute(settings.program);
  std::vector<sandbox::Mount> mounts = {
      {.outside = program, .inside = kProgram},
      {.outside = std::filesystem::absolute(settings.shared_object), .inside = kSharedObject}};
  const std::filesystem::path libraries = program.parent_path() / "libs";
  std::error_code error;
  if (std::filesystem::is_directory(libraries, error)) {
    mounts.push_back({.outside = libraries, .inside = kLibraries});
  }
  return sandbox::MakeJail(mounts, kProgram);
}

SubmissionHosts::SubmissionHosts(Settings settings, sandbox::Sandbox& sandbox)
    : settings_(std::move(settings)), sandbox_(sandbox) {}

Result<SubmissionHost> SubmissionHosts::Start(std::chrono::milliseconds host_time) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return Fail(fmt::format("cannot make a socket: {}", std::strerror(errno)));
  }
  SubmissionHost host;
  host.socket = Descriptor(sockets[0]);
  const Descriptor theirs(sockets[1]);
  host.host_time = host_time;
  sandbox::Command command;
  if (sandbox_.isolates()) {
    command.arguments = {kProgram, kSharedObject};
  } else {
    command.arguments = {std::filesystem::absolute(settings_.program),
                         std::filesystem::absolute(settings_.shared_object)};
  }
  command.inherited_fd = theirs.get();
  command.calls = sandbox::Calls::kSubmission;
  // The runner, which calls the host, watches how the host waits, because the runner knows when the
  // host waits for the device.
  command.limits.cpu_time = std::chrono::ceil<std::chrono::seconds>(host_time);
  command.limits.idle_time = host_time;
  command.limits.wall_time = kGuardFactor * host_time;
  command.limits.descriptors = kDescriptors;
  host.limits = command.limits;
  auto process = sandbox_.Start(command);
  if (!process) {
    return Fail("the submission host did not start: " + process.error().message, {},
                process.error().hint);
  }
  host.process = std::move(*process);
  return host;
}

Result<SubmissionHost> SubmissionHosts::Next(std::chrono::milliseconds host_time) {
  const bool fits = spare_ && spare_->host_time == host_time;
  Result<SubmissionHost> host =
      fits ? Result<SubmissionHost>(*std::move(spare_)) : Start(host_time);
  spare_.reset();
  if (!host) return host;
  // If a host cannot be started ahead of time, the next call tries again, and reports the error.
  if (auto ahead = Start(host_time)) spare_ = *std::move(ahead);
  return host;
}

}  // namespace warpcheck
