#include "sandbox/channels.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/child.h"

namespace warpcheck::sandbox {
namespace {

bool MakePipe(Descriptor& ours, Descriptor& theirs) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  ours = Descriptor(ends[0]);
  theirs = Descriptor(ends[1]);
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
  // The warden must not sit on its program's descriptor 3.
  channels.their_control_ = Descriptor(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, 4));
  if (channels.their_control_.get() < 0) return SystemFailure("duplicate a descriptor");
  if (!MakePipe(channels.output_, channels.their_output_) ||
      !MakePipe(channels.errors_, channels.their_errors_)) {
    return SystemFailure("make a pipe");
  }
  channels.null_ = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (channels.null_.get() < 0) return SystemFailure("open /dev/null");
  return channels;
}

}  // namespace warpcheck::sandbox
