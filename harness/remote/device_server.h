// DeviceServer serves a Device, and its log, over a socket to one trusted peer
// (remote/device_client.h). The peer makes the same requests as a submission host
// (remote/session.h) and one more: a reset, which frees all memory and modules, so that the next
// trial finds the device empty.
#pragma once

#include <string_view>

#include "base/result.h"
#include "device/device.h"
#include "remote/channel.h"
#include "remote/protocol.h"

namespace warpcheck::remote {

// It is the DeviceLog of the device that it serves; give it to that device.
class DeviceServer : public DeviceLog {
 public:
  // Takes `fd`, a connected SOCK_STREAM socket, and owns it.
  explicit DeviceServer(int fd) : channel_(fd) {}

  // Tells the peer why there is no device.
  void Refuse(const Error& why);

  // Returns when the peer has closed its end, or sends an invalid request.
  void Serve(Device& device);

  void OnLaunch(const LaunchRecord& record) override;
  void OnFinding(const Finding& finding) override;
  void OnPrint(std::string_view text) override;

 private:
  Channel channel_;  // a failure to send is noticed at the next receive
};

}  // namespace warpcheck::remote
