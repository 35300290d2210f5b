#include "checks/trial_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include "base/check.h"
#include "checks/docket.h"
#include "device/launch_sum.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{64} << 10;

}  // namespace

void TrialLog::OnLaunch(const LaunchRecord& record) {
  ++launched;
  instructions += record.totals[Counter::kWarpInstructions].value_or(0);
  if (launches.size() < kDetailed) return launches.push_back(record);
  // A launch that failed is not added to those that ran.
  const auto sums = launches.begin() + kDetailed;
  const auto sum = std::find_if(sums, launches.end(), [&](const LaunchRecord& other) {
    return other.kernel == record.kernel && other.error == record.error;
  });
  if (sum == launches.end()) return launches.push_back(record);
  AddLaunch(*sum, record);
  sum->launches += record.launches;
}

void TrialLog::OnFinding(const Finding& finding) {
  const auto of_its_kind =
      std::ranges::count(findings, finding.kind, [](const Finding& other) { return other.kind; });
  const auto at = std::ranges::find_if(
      findings, [&](const Finding& other) { return other.kind == finding.kind; });
  if (static_cast<std::size_t>(of_its_kind) < kMostOfAKind) return AddFinding(findings, finding);
  at->count += finding.count;
}

void TrialLog::OnPrint(std::string_view text) {
  output += text.substr(0, kMaxOutput - std::min(kMaxOutput, output.size()));
}

TrialDevice::TrialDevice(const std::vector<std::shared_ptr<const Plan>>& plans, Device& device,
                         TrialLog& log)
    : log_(log), device_(device), watched_(device), calls_left_(plans.size()) {
  for (const auto& plan : plans) {
    for (const auto& array : plan->arrays) {
      if (!arrays_.contains(array)) Add(array);
    }
    for (const auto& argument : plan->arguments) {
      if (const auto* value = std::get_if<remote::Argument>(&argument)) KnowNumber(*value);
    }
  }
}

void TrialDevice::KnowNumber(const remote::Argument& argument) {
  std::visit(
      [this]<class T>(const T& value) {
        if constexpr (std::is_arithmetic_v<T>) watched_.Know(std::as_bytes(std::span(&value, 1)));
        if constexpr (std::is_same_v<T, remote::HostArray>) watched_.Know(value.bytes);
      },
      argument);
}

void TrialDevice::Add(const std::shared_ptr<const ArrayStart>& start) {
  const std::uint64_t bytes = std::max<std::uint64_t>(start->bytes.size(), 1);
  const auto address = device_.Allocate(bytes);
  if (!address || device_.Write(*address, start->bytes) != DeviceError::kSuccess) {
    StopCase(Charged(
        Verdict::kHarnessFault, fmt::format("no device memory for an array of {} bytes", bytes),
        "raise CallLimits::device_bytes of the assignment, or free memory on the GPU"));
  }
  for (const ByteRange& range : start->unwritten) {
    device_.MarkUnwritten(*address + range.begin, range.bytes);
  }
  arrays_[start] = {.address = *address, .now = start};
  watched_.Watch(*address, bytes, start->is_input);
}

std::vector<DeviceAddress> TrialDevice::AddressesOf(const Plan& plan) const {
  std::vector<DeviceAddress> addresses;
  for (const auto& array : plan.arrays) addresses.push_back(arrays_.at(array).address);
  return addresses;
}

SharedBytes TrialDevice::Contents(const Array& array) {
  const SharedBytes& before = array.now->bytes;
  const auto memory = std::make_shared_for_overwrite<std::byte[]>(before.size());
  // After a sticky error nothing can be read: the array then counts as never touched.
  const DeviceError error = device_.Read(array.address, {memory.get(), before.size()});
  SharedBytes bytes({memory, memory.get()}, before.size());
  return error != DeviceError::kSuccess || bytes == before ? before : bytes;
}

void TrialDevice::KeepForNextCall() {
  for (auto& [start, array] : arrays_) {
    SharedBytes bytes = Contents(array);
    if (bytes == array.now->bytes) continue;
    array.now = std::make_shared<ArrayStart>(
        ArrayStart{start->type, start->extents, std::move(bytes), start->is_input});
  }
}

void TrialDevice::MoveInto(Trial& trial) {
  for (const auto& start : trial.plan->arrays) {
    const Array& array = arrays_.at(start);
    trial.arrays.push_back({.start = array.now, .bytes = Contents(array)});
  }
  if (--calls_left_ > 0) KeepForNextCall();
  trial.traffic = watched_.Traffic();
  trial.launched = std::exchange(log_.launched, 0);
  trial.instructions = std::exchange(log_.instructions, 0);
  trial.launches = std::exchange(log_.launches, {});
  trial.findings = std::exchange(log_.findings, {});
  trial.device_output = std::exchange(log_.output, {});
}

}  // namespace warpcheck
