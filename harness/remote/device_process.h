// DeviceProcess starts and owns a process that serves a device (remote/device_server.h): gpu_host.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "process/child_process.h"
#include "remote/device_client.h"

namespace warpcheck::remote {

class DeviceProcess {
 public:
  // `command` is the program's path and its arguments; its socket becomes descriptor 3. This does
  // not wait for the device; DeviceClient::Await() does.
  static Result<std::unique_ptr<DeviceProcess>> Start(const std::vector<std::string>& command);

  // The destructor ends the process and everything that it started.
  DeviceProcess(const DeviceProcess&) = delete;
  DeviceProcess& operator=(const DeviceProcess&) = delete;

  DeviceClient& device() { return *device_; }

 private:
  DeviceProcess(std::unique_ptr<ChildProcess> child, int socket);

  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<DeviceClient> device_;
};

}  // namespace warpcheck::remote
