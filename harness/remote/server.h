// The judge's end of the socket to a submission host: lets the host use a Device while it runs a
// call. Everything that arrives is untrusted: validated, bounded, and answered or refused.
#pragma once

#include <chrono>
#include <memory>

#include "device/device.h"
#include "remote/call.h"

namespace warpcheck::remote {

class Server {
 public:
  // `fd`: a connected SOCK_STREAM socket, owned by the server. `device` outlives it. Allocations of
  // the host are freed when the server goes.
  Server(int fd, Device& device);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Sends the call and serves the host's requests until it returns, ends or `limit` has passed
  // (time that the device itself spends in requests does not count).
  CallOutcome Run(const Call& call, std::chrono::milliseconds limit);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpcheck::remote
