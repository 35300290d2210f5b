// Serves a Device, and what it logs, over a socket to one trusted peer (remote/device_client.h).
// The peer's requests are those of a submission host (remote/session.h), and one more: a reset,
// which gives back all that was allocated and loaded, so that the next trial finds the device
// empty.
#pragma once

#include <string_view>

#include "base/result.h"
#include "device/device.h"
#include "remote/channel.h"
#include "remote/protocol.h"

namespace warpcheck::remote {

// Its own DeviceLog: give it to the device that is to be served.
class DeviceServer : public DeviceLog {
 public:
  // `fd`: a connected SOCK_STREAM socket, owned by the server.
  explicit DeviceServer(int fd) : channel_(fd) {}

  // Tells the peer why it gets no device.
  void Refuse(const Error& why);

  // Returns when the peer has left, or sends what is no request.
  void Serve(Device& device);

  void OnLaunch(const LaunchRecord& record) override;
  void OnFinding(const Finding& finding) override;
  void OnPrint(std::string_view text) override;

 private:
  Channel channel_;  // a failure to send shows when the next request is received
};

}  // namespace warpcheck::remote
