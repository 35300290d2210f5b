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
#include <memory>

#include "device/device.h"
#include "remote/call.h"
#include "remote/channel.h"
#include "remote/session.h"

namespace warpcheck::remote {

class Server {
 public:
  // `fd`: a connected SOCK_STREAM socket, owned by the server. `device` outlives it. Allocations
  // and modules of the host are given back when the server goes.
  Server(int fd, Device& device);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Sends the call and serves the host's requests until it returns, ends, has made more of them
  // than `most` in all calls together, or need not be waited for any longer. While the device works
  // nothing is waited for. After any end that a host cannot report itself the connection is closed,
  // and every further call is kDisconnected.
  CallOutcome Run(const Call& call, MayWait may_wait, const Requests& most = kAnyNumber);

  // Of all calls.
  const Requests& requests() const;

  static constexpr Requests kAnyNumber = {.number = std::numeric_limits<std::uint64_t>::max(),
                                          .bytes = std::numeric_limits<std::uint64_t>::max()};

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpcheck::remote
