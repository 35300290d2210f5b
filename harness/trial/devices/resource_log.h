// ResourceLog is a log that adds ptxas's figures to the launches of an emulator: registers, local
// memory, and how many blocks fit on a multiprocessor. Local memory is what ptxas leaves there,
// which may be less than what the PTX declares.
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
  // `modules` comes from the build, which the judge made. `log` gets all events. Both must outlive
  // this object.
  ResourceLog(DeviceLog& log, const std::vector<ModuleResources>& modules)
      : log_(log), modules_(modules) {}

  // Sets the properties of the device that reports to this log. Call it before the first launch.
  void SetProperties(const DeviceProperties& properties) { properties_ = properties; }

  // Returns the registers of a thread of `kernel`, a mangled name; 0 if they are not known.
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
  // The kernels of the modules that were loaded, by their demangled names.
  std::map<std::string, const KernelResources*> kernels_;
  bool knows_all_ = true;  // true if all modules that were loaded are in `modules_`
};

}  // namespace warpcheck
