// Server is the judge's end of the socket to a submission host. It lets the host use a Device while
// the host runs a call. Everything that arrives is untrusted: it is validated, limited
// (remote/protocol.h), and answered or refused.
//
// A host may use the memory that it allocated, the variables of the modules that it loaded, and the
// ranges that the arguments of the current call grant. For other memory, Write, Read, Copy and Fill
// return kInvalidValue. Free returns it for memory that the host did not allocate, and modules of
// others give kInvalidResourceHandle. Only the device itself can check what the kernels access. No
// launch record, finding or printf text goes to the host, and no request is served between calls.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "device/device.h"
#include "remote/call.h"
#include "remote/channel.h"
#include "remote/session.h"

namespace warpcheck::remote {

class Server {
 public:
  // Takes `fd`, a connected SOCK_STREAM socket, and owns it. `device` must outlive the server. The
  // destructor frees the host's memory and modules.
  Server(int fd, Device& device) : channel_(fd), device_(device), session_(device) {}

  // Sends the call and serves the host's requests until the call returns or the host ends. Also
  // stops if the host has made more than `most` requests in all calls together, or if `may_wait`
  // ends the wait. The time in which the device works is not counted. After an end that a host
  // cannot report itself, the connection is closed, and every later call returns kDisconnected.
  CallOutcome Run(const Call& call, MayWait may_wait, const Requests& most = kAnyNumber);

  // Returns the sum of the requests of all calls.
  const Requests& requests() const { return session_.requests(); }

  static constexpr Requests kAnyNumber = {.number = std::numeric_limits<std::uint64_t>::max(),
                                          .bytes = std::numeric_limits<std::uint64_t>::max()};

 private:
  CallOutcome Serve(const Call& call);
  // Handles one frame of the host; returns an outcome if the frame ends the call.
  std::optional<CallOutcome> Step();
  std::optional<CallOutcome> Carry(const Frame& frame);
  std::optional<CallOutcome> Spent() const;
  CallOutcome Returned(const Frame& frame) const;

  Channel channel_;
  FrameReader reader_{channel_};
  Device& device_;
  Session session_;
  std::uint32_t calls_ = 0;
  std::uint32_t requests_ = 0;  // requests of this call
  Requests most_;               // the limit for all calls
};

}  // namespace warpcheck::remote
