// DeviceClient is a Device in another, trusted process (remote/device_server.h), for one trial
// after the other.
//
// A process is lost if it does not answer in time, or if it ends. The request that it was working
// on and every later one return kLaunchTimeout or kUnknown. The reason is logged as a finding; if a
// launch was lost, it is in the launch's record.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/step_runner.h"
#include "remote/channel.h"
#include "remote/request_device.h"

namespace warpcheck::remote {

class DeviceClient final : public RequestDevice, public StepRunner {
 public:
  // The type of a function that returns how the other process ended, as a text for people: "it was
  // killed by signal 9 (killed)". It is called when the other end of the socket is closed.
  using HowItEnded = std::function<std::string()>;

  // Takes `fd`, a connected SOCK_STREAM socket, and owns it. Does not wait for the other end.
  DeviceClient(int fd, HowItEnded how_it_ended);

  // Waits for the greeting; call this before anything else. Fails if the other process has no
  // device, ends, or takes longer than `limit`.
  Result<> Await(std::chrono::milliseconds limit);

  // The type of a function that changes PTX before it is sent.
  using PtxFilter = std::function<std::string(std::string_view ptx)>;
  void FilterPtx(PtxFilter filter) { filter_ = std::move(filter); }

  // Begins a trial: the device logs to `log` until EndTrial(), and a launch may take
  // `launch_limit`.
  void BeginTrial(DeviceLog& log, std::chrono::milliseconds launch_limit);
  // Frees what the trial allocated and loaded. Returns false if the process cannot serve another
  // trial, because it is lost or its device has a sticky error.
  bool EndTrial();

  const DeviceProperties& Properties() const override { return properties_; }
  DeviceError Launch(const LaunchRequest& request) override;
  DeviceResult<ModuleInfo> LoadModule(std::string_view ptx) override;
  DeviceResult<DeviceAddress> AllocateHost(std::uint64_t bytes, HostMemory memory) override;
  DeviceResult<std::vector<StepTime>> RunSteps(const std::vector<DeviceStep>& steps) override;

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
  Kind asked_ = Kind::kReset;  // the latest request
  // The result of every request after the process was lost.
  DeviceError lost_ = DeviceError::kSuccess;
  std::string why_;       // why the process was lost
  bool faulted_ = false;  // true if the device itself has a sticky error
  std::map<std::pair<ModuleId, std::string>, std::uint32_t>
      static_shared_bytes_;  // the static shared memory of kernels
};

}  // namespace warpcheck::remote
