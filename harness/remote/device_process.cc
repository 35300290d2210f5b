#include "remote/device_process.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/descriptor.h"

namespace warpcheck::remote {
namespace {

constexpr std::chrono::seconds kEndTimeout{2};

// The process has closed its socket, so it will end soon.
std::string HowItEnded(ChildProcess& child) {
  return child.AwaitEnd(kEndTimeout) ? "it " + child.Wait().Text() : "it closed its connection";
}

}  // namespace

Result<std::unique_ptr<DeviceProcess>> DeviceProcess::Start(
    const std::vector<std::string>& command) {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return Fail(fmt::format("cannot make a socket: {}", std::strerror(errno)));
  }
  Descriptor ours(sockets[0]);
  const Descriptor theirs(sockets[1]);
  auto child = ChildProcess::Start({.program = command.front(),
                                    .arguments = {command.begin() + 1, command.end()},
                                    .errors = STDERR_FILENO,
                                    .third = theirs.get()});
  if (!child) return Fail(child.error());
  return std::unique_ptr<DeviceProcess>(new DeviceProcess(*std::move(child), ours.Release()));
}

DeviceProcess::DeviceProcess(std::unique_ptr<ChildProcess> child, int socket)
    : child_(std::move(child)),
      device_(std::make_unique<DeviceClient>(socket, [this] { return HowItEnded(*child_); })) {}

}  // namespace warpcheck::remote
