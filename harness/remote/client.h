// The host's end of the socket: a Device whose every request is carried out by the judge.
#pragma once

#include <functional>
#include <memory>

#include "remote/call.h"
#include "remote/request_device.h"

namespace warpcheck::remote {

// The exit status of a host that lost its connection to the judge.
inline constexpr int kConnectionLostStatus = 76;

class Client : public RequestDevice {
 public:
  // `fd`: connected to a Server; owned by the client. Any failure of the connection ends the
  // process, quietly and at once, with kConnectionLostStatus.
  static std::unique_ptr<Client> Connect(int fd);

  // Waits for calls and answers each with what `handle` gives, until the server closes. Requests
  // may be made inside `handle` only, from any thread; Properties() are those of the latest call.
  virtual void Serve(const std::function<CallOutcome(const Call&)>& handle) = 0;

  // True where `address` lies between the lowest and the highest device memory that this host has
  // allocated or been given. Safe in a signal handler.
  virtual bool MayBeDeviceMemory(DeviceAddress address) const = 0;
};

// Tells the student, on stderr, which address host code could not access.

// Installs a handler of SIGSEGV and SIGBUS, on a stack of its own, that writes one line to stderr
// and lets the signal end the process. `client` (not owned) knows which addresses are the device's.
void ExplainMemoryFaults(const Client& client);

}  // namespace warpcheck::remote
