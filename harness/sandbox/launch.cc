#include "sandbox/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <boost/process/extend.hpp>
#include <cerrno>
#include <cstring>

#include "sandbox/call_filter.h"

extern "C" const char _binary_warpcheck_warden_start[];
extern "C" const char _binary_warpcheck_warden_end[];

namespace warpcheck::sandbox {
namespace {

namespace bp = boost::process;

tl::unexpected<Error> SystemFailure(std::string_view action) {
  return Fail(fmt::format("cannot {}: {}", action, std::strerror(errno)));
}

// The warden's program as an unnamed file, made once a process.
Result<int> WardenImage() {
  static const int image = [] {
    Descriptor file(::memfd_create("warden", MFD_CLOEXEC));
    const char* at = _binary_warpcheck_warden_start;
    while (file.get() >= 0 && at < _binary_warpcheck_warden_end) {
      const ssize_t written =
          ::write(file.get(), at, static_cast<std::size_t>(_binary_warpcheck_warden_end - at));
      if (written <= 0) return -1;
      at += written;
    }
    return ::fcntl(file.get(), F_DUPFD_CLOEXEC, 10);
  }();
  if (image < 0) return SystemFailure("make the warden's program in memory");
  return image;
}

std::vector<std::string> WardenArguments(const LaunchPlan& plan, int control, int image,
                                         int filter) {
  const Limits& limits = plan.command.limits;
  const auto cpu_seconds = std::max<long long>(1, limits.cpu_time.count());
  std::vector<std::string> arguments = {
      std::to_string(control),
      std::to_string(plan.command.inherited_fd),
      std::to_string(image),
      std::to_string(filter),
      std::to_string(cpu_seconds),
      std::to_string(limits.memory_bytes),
      std::to_string(limits.processes),
      std::to_string(limits.file_bytes),
      plan.prefix.empty() ? "descendants" : "namespace",
      plan.command.directory.string(),
      std::to_string(plan.command.environment.size()),
  };
  const auto append = [&](const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  append(plan.command.environment);
  append(plan.command.arguments);
  return arguments;
}

// What happens between fork and exec: system calls only.
struct Setup {
  const LaunchPlan& plan;
  int control, image, filter, output, errors, null;

  bool Apply() const {
    if (!plan.stage.Enter()) return false;
    const auto user = static_cast<uid_t>(plan.unprivileged);
    if (user != 0 && (::setgroups(0, nullptr) != 0 || ::setresgid(user, user, user) != 0 ||
                      ::setresuid(user, user, user) != 0)) {
      return false;
    }
    if (::dup2(null, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(errors, 2) < 0) return false;
    if (::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0) return false;
    for (const int kept : {control, image, filter, plan.command.inherited_fd}) {
      if (kept >= 0 && ::fcntl(kept, F_SETFD, 0) != 0) return false;
    }
    return true;
  }
};

}  // namespace

Result<Launched> Launch(const LaunchPlan& plan) {
  const auto image = WardenImage();
  if (!image) return Fail(image.error());
  const auto filter = CallFilterFile(plan.command.calls);
  if (!filter) return Fail(filter.error());
  int control[2], output[2], errors[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
    return SystemFailure("make a socket");
  }
  Descriptor ours(control[0]), theirs(control[1]);
  if (::pipe2(output, O_CLOEXEC) != 0) return SystemFailure("make a pipe");
  Descriptor read_output(output[0]), write_output(output[1]);
  if (::pipe2(errors, O_CLOEXEC) != 0) return SystemFailure("make a pipe");
  Descriptor read_errors(errors[0]), write_errors(errors[1]);
  const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (null.get() < 0) return SystemFailure("open /dev/null");
  // The warden must not sit on the child's descriptor 3.
  theirs = Descriptor(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, 4));
  if (theirs.get() < 0) return SystemFailure("duplicate a descriptor");

  std::vector<std::string> line = plan.prefix;
  const std::string warden = fmt::format("/proc/self/fd/{}", *image);
  line.push_back(warden);
  for (std::string& argument : WardenArguments(plan, theirs.get(), *image, *filter)) {
    line.push_back(std::move(argument));
  }
  const Setup setup = {
      plan, theirs.get(), *image, *filter, write_output.get(), write_errors.get(), null.get()};
  std::error_code failure;
  const std::string program = line.front();
  line.erase(line.begin());
  bp::child child(
      bp::exe = program, bp::args = line, bp::environment(), failure,
      bp::extend::on_exec_setup = [&setup](auto&) {
        if (!setup.Apply()) ::_exit(125);
      });
  if (failure) {
    return Fail(fmt::format("cannot start {}: {}", program, failure.message()));
  }
  ::fcntl(read_output.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(read_errors.get(), F_SETFL, O_NONBLOCK);
  return Launched{std::move(child), std::move(ours), std::move(read_output),
                  std::move(read_errors)};
}

}  // namespace warpcheck::sandbox
