// The judge's end of the socket to a submission host: lets the host use a Device while it runs a
// call. Everything that arrives is untrusted: validated, bounded (remote/protocol.h), and answered
// or refused.
//
// What a host may use: memory it allocated, variables of modules it loaded, and the ranges that the
// arguments of the current call grant. Write, Read, Copy and Fill anywhere else are kInvalidValue,
// as is Free of anything that it did not allocate; modules of others are kInvalidResourceHandle.
// What its kernels touch only the device itself can check. No launch record, finding or printf text
// travels to the host, and nothing is served between calls.
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
  // `fd`: a connected SOCK_STREAM socket, owned by the server. `device` outlives it. Allocations
  // and modules of the host are given back when the server goes.
  Server(int fd, Device& device) : channel_(fd), device_(device), session_(device) {}

  // Sends the call and serves the host's requests until it returns, ends, has made more of them
  // than `most` in all calls together, or need not be waited for any longer. While the device works
  // nothing is waited for. After any end that a host cannot report itself the connection is closed,
  // and every further call is kDisconnected.
  CallOutcome Run(const Call& call, MayWait may_wait, const Requests& most = kAnyNumber);

  // Of all calls.
  const Requests& requests() const { return session_.requests(); }

  static constexpr Requests kAnyNumber = {.number = std::numeric_limits<std::uint64_t>::max(),
                                          .bytes = std::numeric_limits<std::uint64_t>::max()};

 private:
  CallOutcome Serve(const Call& call);
  // One frame of the host; an outcome where that ends the call.
  std::optional<CallOutcome> Step();
  std::optional<CallOutcome> Carry(const Frame& frame);
  std::optional<CallOutcome> Spent() const;
  CallOutcome Returned(const Frame& frame) const;

  Channel channel_;
  FrameReader reader_{channel_};
  Device& device_;
  Session session_;
  std::uint32_t calls_ = 0;
  std::uint32_t requests_ = 0;  // of this call
  Requests most_;               // of all calls
};

}  // namespace warpcheck::remote
