// Adds to the launches of an emulator what ptxas gave their kernels: registers, local memory, and
// how many blocks a multiprocessor holds. Local memory is what ptxas leaves there, not what the PTX
// calls so.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "device/kernel_resources.h"
#include "device/launch_record.h"

namespace warpcheck {

class ResourceLog : public DeviceLog {
 public:
  // `modules`: of the build, by the judge. `log` outlives it, and gets everything.
  ResourceLog(DeviceLog& log, const std::vector<ModuleResources>& modules)
      : log_(log), modules_(modules) {}

  // Of the device that tells this log; before its first launch.
  void SetProperties(const DeviceProperties& properties) { properties_ = properties; }

  // Of a thread of a kernel of a loaded module; 0 where it is not known. `kernel`: mangled.
  std::uint32_t RegistersOf(const std::string& kernel) const;

  void OnLaunch(const LaunchRecord& record) override;
  void OnFinding(const Finding& finding) override { log_.OnFinding(finding); }
  void OnPrint(std::string_view text) override { log_.OnPrint(text); }
  void OnLaunchBegin(const LaunchRecord& record) override { log_.OnLaunchBegin(record); }
  void OnModule(ModuleId module, std::string_view ptx) override;
  void OnAssert(std::string_view text) override { log_.OnAssert(text); }

 private:
  void Add(const KernelResources& kernel);

  DeviceLog& log_;
  const std::vector<ModuleResources>& modules_;
  DeviceProperties properties_;
  std::map<std::string, const KernelResources*> kernels_;  // of modules that were loaded, demangled
  bool knows_all_ = true;                                  // modules that were loaded
};

}  // namespace warpcheck
