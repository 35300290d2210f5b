#include "sandbox/supervisor_start.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "sandbox/child.h"

extern "C" const char _binary_warpcheck_supervisor_start[];
extern "C" const char _binary_warpcheck_supervisor_end[];

namespace warpcheck::sandbox {
namespace {

bool MakePipeForReading(Descriptor& ours, Descriptor& theirs) {
  auto pipe = MakePipe();
  if (!pipe) return false;
  ours = std::move(pipe->source);
  theirs = std::move(pipe->sink);
  return ::fcntl(ours.get(), F_SETFL, O_NONBLOCK) == 0;
}

}  // namespace

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

Result<Channels> Channels::Make() {
  Channels channels;
  int control[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
    return SystemFailure("make a socket");
  }
  channels.control = Descriptor(control[0]);
  const Descriptor theirs(control[1]);
  // Descriptor 3 is reserved for the program that the supervisor starts.
  channels.their_control = Descriptor(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, 4));
  if (channels.their_control.get() < 0) return SystemFailure("duplicate a descriptor");
  if (!MakePipeForReading(channels.output, channels.their_output) ||
      !MakePipeForReading(channels.errors, channels.their_errors)) {
    return SystemFailure("make a pipe");
  }
  channels.null = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (channels.null.get() < 0) return SystemFailure("open /dev/null");
  return channels;
}

}  // namespace warpcheck::sandbox
