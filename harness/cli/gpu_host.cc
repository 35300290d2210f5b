#include "cli/gpu_host.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/io.hpp>
#include <boost/process/posix.hpp>
#include <chrono>
#include <optional>
#include <system_error>

#include "cli/places.h"
#include "gpu/survey_json.h"
#include "grading/run_program.h"
#include "remote/device_client.h"

namespace warpcheck {
namespace {

namespace process = boost::process;

constexpr int kHostDescriptor = 3;  // where gpu_host looks for its socket
constexpr std::chrono::seconds kGreetingLimit{60};
constexpr std::chrono::minutes kLaunchLimit{2};
constexpr std::chrono::seconds kSurveyLimit{60};
constexpr std::size_t kMaxSurvey = 1 << 16;

// Kills it at the end, if it still runs.
class Host {
 public:
  Host(const std::vector<std::string>& arguments, int socket)
      : child_(process::exe = Program(), process::args = arguments,
               process::posix::fd.bind(kHostDescriptor, socket), process::std_in < process::null) {}
  ~Host() {
    std::error_code ended;
    child_.terminate(ended);
    child_.wait(ended);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  static std::string Program() { return (Programs() / "gpu_host").string(); }

  // Its end of the socket is closed.
  std::string Epitaph() {
    std::error_code ended;
    child_.wait(ended);
    return fmt::format("it exited with status {}", child_.exit_code());
  }

 private:
  process::child child_;
};

}  // namespace

Result<> UseGpuHost(const std::vector<std::string>& arguments, DeviceLog& log,
                    const std::function<Result<>(Device&)>& use) try {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return Fail("cannot make a socket for gpu_host");
  }
  std::optional<Host> host;
  remote::DeviceClient device(sockets[0], [&] { return host->Epitaph(); });
  try {
    host.emplace(arguments, sockets[1]);
  } catch (...) {
    ::close(sockets[1]);
    throw;
  }
  ::close(sockets[1]);
  if (auto ready = device.Await(kGreetingLimit); !ready) return ready;
  device.BeginTrial(log, kLaunchLimit);
  auto used = use(device);
  device.EndTrial();
  return used;
} catch (const std::system_error& error) {
  return Fail(fmt::format("cannot run {}: {}", Host::Program(), error.code().message()));
}

Result<gpu::Survey> SurveyByGpuHost() {
  const auto end = RunProgram({.program = Host::Program(),
                               .arguments = {"--survey"},
                               .limit = kSurveyLimit,
                               .max_output = kMaxSurvey});
  if (!end) return Fail(end.error());
  return gpu::ParseSurvey(end->output);
}

}  // namespace warpcheck
