// What of the launches of a submission goes into the results file, which must stay small whatever
// is launched: each launch by itself while there is room, then one record with the sums of all that
// are left of a call. Nothing that was counted is missing from the sum of a call's records.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "device/kernel_resources.h"
#include "device/launch_record.h"

namespace warpcheck {

class LaunchRecords {
 public:
  // Of all calls together; a record takes about 600 bytes for each of its lines.
  static constexpr std::size_t kMostBytes = std::size_t{48} << 20;
  // Of one record; what further lines and findings hold goes to a line without a place, and to a
  // finding that says how many there are.
  static constexpr std::size_t kMostLines = 1'000;
  static constexpr std::size_t kMostFindings = 100;

  // How many of a call's launches, from its first on, are written by themselves.
  std::size_t Take(std::span<const LaunchRecord> launches);

  // The launches as they are written, where `alone` of them are by themselves.
  static std::vector<LaunchRecord> Written(std::span<const LaunchRecord> launches,
                                           std::size_t alone);

 private:
  std::size_t left_ = kMostBytes;
};

// Adds to the launches of an emulator what ptxas gave their kernels: registers, local memory, and
// how many blocks a multiprocessor holds. Local memory is what ptxas leaves there, not what the PTX
// calls so.

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

// Counts what the launches of a call did, on a device that counts one launch a call.

// Beyond them a call's launches are not measured.
inline constexpr std::size_t kMaxRecounts = 16;

// Kernels and configurations among them that do different work, as far as their totals tell.
std::size_t DifferentLaunches(const std::vector<LaunchRecord>& launches);

// Makes the call again and gives the record of its `launch`-th launch, from 0, with its counters.
using CountOne = std::function<Result<LaunchRecord>(std::size_t launch)>;

// `launches` with counters by line and timing. Launches of one kernel and configuration whose
// totals agree are counted once. Where one cannot be counted its record says why; after a failure
// no more are tried.
std::vector<LaunchRecord> Recounted(std::vector<LaunchRecord> launches, const CountOne& count);

}  // namespace warpcheck
