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

}  // namespace warpcheck::remote
