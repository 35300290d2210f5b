// A gpu_host process of our own: a GPU, or the emulator in its place, for one launch or a few.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "gpu/gpu.h"
#include "parity/plain_launches.h"

namespace warpcheck {

// The GPUs of this machine that may be used side by side.

// Values of CUDA_VISIBLE_DEVICES, each for one GPU: what the variable allows now, else a number for
// each device file in `devices`, else "0".
std::vector<std::string> ListGpus(const std::string& allowed,
                                  const std::filesystem::path& devices = "/dev");

// Starts a gpu_host with these arguments ("--counting=lines"), calls `use` with its device, which
// tells `log`, and ends the process. Fails where there is no GPU, and where `use` does.
Result<> UseGpuHost(const std::vector<std::string>& arguments, DeviceLog& log,
                    const std::function<Result<>(Device&)>& use);

// kProperties: what the GPU is. kCounters: also whether it runs a kernel and may be counted, which
// takes it half a second.
enum class SurveyOf { kProperties, kCounters };

// What the GPU of this machine offers, found out by a process of its own.
Result<gpu::Survey> SurveyByGpuHost(SurveyOf what);

// What a GPU's process would tell of what the emulator saw: counters as far as they were asked for,
// and no read out of bounds. Lets everything around a GPU be tried without one.

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

// The devices that parity measures single launches on: each a process of its own.

// `device`: "emulator" or "gpu".
parity::UseDevice ParityDevice(const std::string& device);

// What it calls itself, "NVIDIA H200". Fails where this machine has none.
Result<std::string> ParityDeviceName(const std::string& device);

}  // namespace warpcheck
