// The host's end of the socket: a Device whose every request is carried out by the judge.
#pragma once

#include <functional>
#include <memory>

#include "device/device.h"
#include "remote/call.h"

namespace warpcheck::remote {

class Client : public Device {
 public:
  // `fd`: connected to a Server; owned by the client. Any failure of the connection ends the
  // process.
  static std::unique_ptr<Client> Connect(int fd);

  // Waits for calls and answers each with what `handle` gives, until the server closes.
  virtual void Serve(const std::function<CallOutcome(const Call&)>& handle) = 0;
};

}  // namespace warpcheck::remote
