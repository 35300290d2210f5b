// A Device in another, trusted process (remote/device_server.h), for one trial after the other.
//
// A process that does not answer in time, or ends, is lost: the request that it was busy with, and
// every later one, answers kLaunchTimeout or kUnknown. Why it was lost is logged as a finding, of a
// launch's record where one was lost.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "process/child_process.h"
#include "remote/channel.h"
#include "remote/request_device.h"

namespace warpcheck::remote {

class DeviceClient final : public RequestDevice {
 public:
  // How the other process ended, for people: "it was killed by signal 9 (killed)". Called when its
  // end of the socket is closed.
  using HowItEnded = std::function<std::string()>;

  // `fd`: a connected SOCK_STREAM socket, owned by the client. Does not wait for the other end.
  DeviceClient(int fd, HowItEnded how_it_ended);

  // Waits for the greeting; before anything else is asked. Fails where the other process has no
  // device, ends, or takes longer.
  Result<> Await(std::chrono::milliseconds limit);

  // What becomes of PTX before it is sent.
  using PtxFilter = std::function<std::string(std::string_view ptx)>;
  void FilterPtx(PtxFilter filter) { filter_ = std::move(filter); }

  // From now on the device is that of a trial: it tells `log`, which stays until EndTrial, and a
  // launch may take `launch_limit`.
  void BeginTrial(DeviceLog& log, std::chrono::milliseconds launch_limit);
  // Gives back what the trial allocated and loaded. False where the process cannot serve another
  // trial: it is lost, or its device has a sticky error.
  bool EndTrial();

  const DeviceProperties& Properties() const override { return properties_; }
  DeviceError Launch(const LaunchRequest& request) override;
  DeviceResult<ModuleInfo> LoadModule(std::string_view ptx) override;

 private:
  Answer Ask(const Question& question) override;
  DeviceError Broken() override;

  Transfer ReceiveReply(const Question& question, Clock::time_point deadline, Answer& answer);
  void Log(const Frame& frame);
  Answer Lose(Kind during, DeviceError error, std::string why);
  LaunchRecord LostLaunch(const LaunchRequest& request) const;

  Channel channel_;
  FrameReader reader_;
  HowItEnded how_it_ended_;
  PtxFilter filter_;
  DeviceProperties properties_;
  DeviceLog* log_ = nullptr;
  std::chrono::milliseconds launch_limit_{0};
  std::uint32_t sequence_ = 0;
  Kind asked_ = Kind::kReset;                 // the latest request
  DeviceError lost_ = DeviceError::kSuccess;  // what every request answers from now on
  std::string why_;                           // of a loss
  bool faulted_ = false;                      // a sticky error of the device itself
  std::map<std::pair<ModuleId, std::string>, std::uint32_t> static_shared_bytes_;  // of kernels
};

// A process that serves a device (remote/device_server.h): gpu_host.

class DeviceProcess {
 public:
  // `command`: the program's path and its arguments; it gets its socket as descriptor 3. Does not
  // wait for the device: DeviceClient::Await does.
  static Result<std::unique_ptr<DeviceProcess>> Start(const std::vector<std::string>& command);

  // Its end is the process's, and of what that started.
  DeviceProcess(const DeviceProcess&) = delete;
  DeviceProcess& operator=(const DeviceProcess&) = delete;

  DeviceClient& device() { return *device_; }

 private:
  DeviceProcess(std::unique_ptr<ChildProcess> child, int socket);

  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<DeviceClient> device_;
};

}  // namespace warpcheck::remote
