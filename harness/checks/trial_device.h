// The device of one trial, or of trials that follow each other, with the arrays of their calls in
// its memory, and a record of what happens on it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/plan.h"
#include "checks/trial.h"
#include "checks/watched_device.h"

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

class TrialDevice {
 public:
  // `device` is empty and tells `log`; both outlive this. Ends the running case (case_log.h) where
  // the arrays do not fit.
  TrialDevice(const std::vector<std::shared_ptr<const Plan>>& plans, Device& device, TrialLog& log);
  TrialDevice(const TrialDevice&) = delete;
  TrialDevice& operator=(const TrialDevice&) = delete;

  WatchedDevice& watched() { return watched_; }
  // The next of the calls begins: its arrays hold what they start with, or what earlier calls made
  // of them.
  void BeginCall();
  // Of the plan's arrays.
  std::vector<DeviceAddress> AddressesOf(const Plan& plan) const;

  // Before the call of `plan`: its arrays are called what its function's parameters are called in
  // `header` (text.h).
  void NameArrays(const Plan& plan, std::string_view header);

  // After the call of trial.plan: gives it the arrays, as they were left before and are now, and
  // the record since the last time. Once for each plan, in turn. Where earlier calls have changed
  // arrays, the trial gets a plan that starts from them.
  void MoveInto(Trial& trial);

 private:
  struct Array {
    DeviceAddress address = 0;
    std::shared_ptr<const ArrayStart> now;  // what it holds between calls
    std::size_t first_call = 0;
    std::size_t last_call = 0;
  };
  void Place(const Plan& plan, std::size_t call);
  DeviceAddress MemoryFor(std::uint64_t bytes, bool elsewhere);
  void Fill(const Array& array);
  SharedBytes Contents(const Array& array);
  void KeepForLaterCalls();

  TrialLog& log_;
  Device& device_;
  WatchedDevice watched_;
  const std::vector<std::shared_ptr<const Plan>> plans_;
  std::size_t call_ = 0;                                       // the one that is next, or under way
  std::map<std::shared_ptr<const ArrayStart>, Array> arrays_;  // by how they were made
  std::multimap<std::uint64_t, DeviceAddress> left_;  // memory of earlier calls, by its size
};

}  // namespace warpcheck
