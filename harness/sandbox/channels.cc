#include "sandbox/channels.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/child.h"

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

Result<Channels> Channels::Make() {
  Channels channels;
  int control[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
    return SystemFailure("make a socket");
  }
  channels.control_ = Descriptor(control[0]);
  const Descriptor theirs(control[1]);
  // The supervisor must not sit on its program's descriptor 3.
  channels.their_control_ = Descriptor(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, 4));
  if (channels.their_control_.get() < 0) return SystemFailure("duplicate a descriptor");
  if (!MakePipeForReading(channels.output_, channels.their_output_) ||
      !MakePipeForReading(channels.errors_, channels.their_errors_)) {
    return SystemFailure("make a pipe");
  }
  channels.null_ = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (channels.null_.get() < 0) return SystemFailure("open /dev/null");
  return channels;
}

}  // namespace warpcheck::sandbox
