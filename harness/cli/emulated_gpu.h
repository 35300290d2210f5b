// What a GPU's process would tell of what the emulator saw: counters as far as they were asked for,
// and no read out of bounds. Lets everything around a GPU be tried without one.
#pragma once

#include "device/device.h"
#include "gpu/gpu.h"

namespace warpcheck {

class EmulatedGpuLog : public DeviceLog {
 public:
  // `log` outlives this.
  EmulatedGpuLog(DeviceLog& log, const gpu::Options& options) : log_(log), options_(options) {}

  void OnLaunch(const LaunchRecord& record) override;
  void OnFinding(const Finding& finding) override { log_.OnFinding(finding); }
  void OnPrint(std::string_view text) override { log_.OnPrint(text); }

 private:
  DeviceLog& log_;
  gpu::Options options_;
  std::uint32_t launches_ = 0;
};

}  // namespace warpcheck
