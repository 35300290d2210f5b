// What a device logs of the calls of one trial.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "device/finding.h"
#include "device/launch_record.h"

namespace warpcheck {

// A kernel's name without its parameters, where it is one of a library that solves the task:
// "cub::DeviceReduceKernel"; empty for other kernels.
std::string_view KernelOfALibrary(std::string_view kernel);

// What a device logs. A submission may launch, err and print without end, so that the record has a
// bound; what counts for a grade has none. The first launches of a call are kept one by one, as
// long as they are at most kDetailed and `room`, of all calls of a submission, has place for them.
// Later ones are added up, a record for each kernel, and one for all kernels beyond kMostSums: no
// counter and no finding of theirs is lost (but see AddFinding). Findings outside launches are kept
// kMostOfAKind times a kind, at different places.
struct TrialLog : DeviceLog {
  static constexpr std::size_t kDetailed = 256;
  static constexpr std::size_t kMostSums = 16;
  static constexpr std::size_t kMostOfAKind = 100;
  static constexpr std::size_t kRoom = std::size_t{128} << 20;  // bytes

  // `room`: bytes that are left for launches one by one, not owned; null where nobody counts.
  explicit TrialLog(std::size_t* room = nullptr) : room_(room) {}

  void OnLaunch(const LaunchRecord& record) override;
  void OnFinding(const Finding& finding) override;
  void OnPrint(std::string_view text) override;

  // Gives what was logged, and is empty.
  std::vector<LaunchRecord> TakeLaunches();

  std::vector<LaunchRecord> launches;
  std::vector<Finding> findings;
  std::string output;
  std::uint32_t launched = 0;
  std::uint64_t instructions = 0;  // of warps, of these

 private:
  bool RoomFor(const LaunchRecord& record);

  std::size_t* room_;
  std::optional<std::size_t> sums_;  // the first of `launches` that is one
};

}  // namespace warpcheck
