#include "remote/device_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/group.hpp>
#include <boost/process/io.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

namespace warpcheck::remote {
namespace {

namespace process = boost::process;

constexpr int kSocket = 3;

// Ends with its parent, its socket as descriptor 3.
struct Setup : process::extend::handler {
  explicit Setup(int socket) : fd(socket) {}

  template <class Executor>
  void on_exec_setup(Executor&) const {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (fd == kSocket) {
      ::fcntl(fd, F_SETFD, 0);
    } else {
      ::dup2(fd, kSocket);
    }
  }

  int fd;
};

}  // namespace

class DeviceProcess::Child {
 public:
  Child(const std::vector<std::string>& command, int socket)
      : child_(process::exe = command.front(),
               process::args = std::vector<std::string>(command.begin() + 1, command.end()),
               process::std_in<process::null, process::std_out> process::null, group_,
               Setup(socket)) {}

  ~Child() {
    std::error_code none_left;
    group_.terminate(none_left);
    child_.wait(none_left);
  }

  // It has closed its socket, so that its end is near.
  std::string HowItEnded() const {
    using namespace std::chrono_literals;
    siginfo_t info = {};
    for (int tries = 0; tries < 200; ++tries) {
      // Leaves it to be waited for: its process group cannot become another's yet.
      const int found =
          ::waitid(P_PID, static_cast<id_t>(child_.id()), &info, WEXITED | WNOHANG | WNOWAIT);
      if (found == 0 && info.si_pid == child_.id()) {
        if (info.si_code == CLD_EXITED)
          return fmt::format("it exited with status {}", info.si_status);
        return fmt::format("it was killed by signal {} ({})", info.si_status,
                           ::strsignal(info.si_status));
      }
      std::this_thread::sleep_for(10ms);
    }
    return "it closed its connection";
  }

 private:
  process::group group_;
  process::child child_;
};

Result<std::unique_ptr<DeviceProcess>> DeviceProcess::Start(
    const std::vector<std::string>& command) try {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return Fail(fmt::format("cannot make a socket: {}", std::strerror(errno)));
  }
  struct Closed {
    int fd;
    ~Closed() { ::close(fd); }
  };
  const Closed theirs{sockets[1]};
  std::unique_ptr<Child> child;
  try {
    child = std::make_unique<Child>(command, sockets[1]);
  } catch (...) {
    ::close(sockets[0]);
    throw;
  }
  return std::unique_ptr<DeviceProcess>(new DeviceProcess(std::move(child), sockets[0]));
} catch (const std::system_error& error) {
  return Fail(fmt::format("cannot run {}: {}", command.front(), error.code().message()));
}

DeviceProcess::DeviceProcess(std::unique_ptr<Child> child, int socket)
    : child_(std::move(child)),
      device_(std::make_unique<DeviceClient>(socket, [this] { return child_->HowItEnded(); })) {}

DeviceProcess::~DeviceProcess() = default;

}  // namespace warpcheck::remote
