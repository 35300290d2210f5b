// TrialLog is a limited record of what a device reports during a trial.
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

// Returns the name of a kernel without its parameters, such as "cub::DeviceReduceKernel", if it
// belongs to a library that would solve the exercise (CUB, Thrust, CUTLASS). Returns an empty name
// for other kernels.
std::string_view KernelOfALibrary(std::string_view kernel);

// The times of launches that a device has timed one by one (gpu/gpu.h: Options::times_once).
struct KernelTimes {
  double us = 0;                    // their sum, in microseconds
  std::uint32_t untimed = 0;        // the number of launches without a time
  std::string why_untimed{};        // the reason of the first of these; may be empty
  std::uint32_t lowest_sm_mhz = 0;  // the lowest clock that was seen; 0 if there was no launch
  // The bandwidth of a copy within the device, counting bytes read and written; 0 if not measured.
  double copy_bytes_per_second = 0;

  void Add(const LaunchRecord& record);
};

// Records launches, findings and output. A submission may launch, fail and print without end.
// Therefore the size of the record is limited, but nothing that counts for a grade is lost. The
// first launches of a call are kept one by one: at most kDetailed, as long as `room` has place for
// them. Later launches are added up, in one record for each kernel, and in one record for all
// kernels beyond kMostSums. Counters and findings are kept in the sum (AddFinding says how many
// findings). Of the findings outside launches, kMostOfAKind of each kind are kept.
struct TrialLog : DeviceLog {
  static constexpr std::size_t kDetailed = 256;
  static constexpr std::size_t kMostSums = 16;
  static constexpr std::size_t kMostOfAKind = 100;
  // Bytes of output for all calls together.
  static constexpr std::size_t kRoom = std::size_t{128} << 20;

  // `room` is the number of bytes that are left for single launches in all calls of a submission.
  // It must outlive this object. If it is null, there is no such limit.
  explicit TrialLog(std::size_t* room = nullptr) : room_(room) {}

  void OnLaunch(const LaunchRecord& record) override;
  void OnFinding(const Finding& finding) override;
  void OnPrint(std::string_view text) override;

  // Returns the launches, and clears them.
  std::vector<LaunchRecord> TakeLaunches();

  std::vector<LaunchRecord> launches;
  std::vector<Finding> findings;
  std::string output;
  std::uint32_t launched = 0;
  std::uint64_t instructions = 0;  // the sum of warp instructions of these launches
  KernelTimes times;               // the sum of the times of these launches

 private:
  bool RoomFor(const LaunchRecord& record);

  std::size_t* room_;
  std::optional<std::size_t> sums_;  // the index of the first record of `launches` that is a sum
};

}  // namespace warpcheck
