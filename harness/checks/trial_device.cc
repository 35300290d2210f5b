#include "checks/trial_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "checks/docket.h"

namespace warpcheck {
namespace {

// A submission may launch and print without end; what is kept of it is bounded.
constexpr std::size_t kMaxLaunches = 10'000;
constexpr std::size_t kMaxFindings = 1'000;
constexpr std::size_t kMaxOutput = std::size_t{64} << 10;

}  // namespace

void TrialDevice::Log::OnLaunch(const LaunchRecord& record) {
  if (launches.size() < kMaxLaunches) launches.push_back(record);
}

void TrialDevice::Log::OnFinding(const Finding& finding) {
  if (findings.size() < kMaxFindings) findings.push_back(finding);
}

void TrialDevice::Log::OnPrint(std::string_view text) {
  output += text.substr(0, kMaxOutput - std::min(kMaxOutput, output.size()));
}

TrialDevice::TrialDevice(const Plan& plan, emulator::Options options)
    : plan_(plan), device_(emulator::MakeEmulator(log_, std::move(options))), watched_(*device_) {
  for (const auto& array : plan.arrays) {
    const std::uint64_t bytes = std::max<std::uint64_t>(array->bytes.size(), 1);
    const auto address = device_->Allocate(bytes);
    if (!address || device_->Write(*address, array->bytes) != DeviceError::kSuccess) {
      StopCase(Charged(Verdict::kHarnessFault,
                       fmt::format("no device memory for an array of {} bytes", bytes),
                       "raise CallLimits::device_bytes of the assignment"));
    }
    addresses_.push_back(*address);
    watched_.Watch(*address, bytes, array->is_input);
  }
}

void TrialDevice::MoveInto(Trial& trial) {
  for (std::size_t i = 0; i < addresses_.size(); ++i) {
    ArrayEnd end{.start = plan_.arrays[i], .bytes = {}};
    end.bytes.resize(end.start->bytes.size());
    // After a sticky error nothing can be read: the array then counts as never touched.
    if (device_->Read(addresses_[i], end.bytes) != DeviceError::kSuccess) {
      end.bytes = end.start->bytes;
    }
    trial.arrays.push_back(std::move(end));
  }
  trial.traffic = watched_.traffic();
  trial.launches = std::move(log_.launches);
  trial.findings = std::move(log_.findings);
  trial.device_output = std::move(log_.output);
}

}  // namespace warpcheck
