#include "trial/trial_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/check.h"
#include "base/text/demangle.h"
#include "cpptext/parameters.h"
#include "device/finding.h"
#include "device/launch_record.h"
#include "trial/case_log.h"

namespace warpcheck {
namespace {

[[noreturn]] void StopWithoutMemory(std::uint64_t bytes) {
  StopCase(
      MakeFailure(ComplaintKind::kChecksFault, Verdict::kHarnessFault,
                  fmt::format("there is no device memory for an array of {} bytes", bytes),
                  "raise CallLimits::device_bytes of the assignment, or free memory on the GPU"));
}

// Returns the bytes that kernels must not store to: all of an array that the function may not
// write, and the frame of one of which only a part is to be written.
std::vector<ForbiddenRange> ForbiddenOf(const ArrayStart& start, bool may_write) {
  if (!may_write) return {{.end = start.bytes.size(), .kind = FindingKind::kInputStore}};
  if (start.unwritten.empty()) return {};
  std::vector<ForbiddenRange> frame;
  std::uint64_t at = 0;
  const auto add = [&](std::uint64_t end) {
    if (at < end) frame.push_back({at, end, FindingKind::kFrameStore});
  };
  for (const ByteRange& range : start.unwritten) {
    add(range.begin);
    at = range.begin + range.bytes;
  }
  add(start.bytes.size());
  return frame;
}

// Returns the plan of a trial with its arrays as earlier calls left them.
std::shared_ptr<const Plan> Begun(const Trial& trial) {
  const auto is_start = [](const auto& planned, const ArrayEnd& array) {
    return planned == array.start;
  };
  if (std::ranges::equal(trial.plan->arrays, trial.arrays, is_start)) return trial.plan;
  auto plan = std::make_shared<Plan>(*trial.plan);
  for (std::size_t i = 0; i < plan->arrays.size(); ++i) plan->arrays[i] = trial.arrays[i].start;
  return plan;
}

}  // namespace

TrialDevice::TrialDevice(const std::vector<std::shared_ptr<const Plan>>& plans, Device& device,
                         TrialLog& log)
    : log_(log), device_(device), watched_(device), plans_(plans) {
  for (std::size_t call = 0; call < plans.size(); ++call) {
    for (const auto& start : plans[call]->arrays) {
      Array& array = arrays_[start];
      if (!array.now) {
        array = {.address = 0, .now = start, .first_call = call, .last_call = call, .name = {}};
      }
      array.last_call = call;
    }
  }
  for (std::size_t call = 0; call < plans.size(); ++call) Place(*plans[call], call);
}

// Uses the memory of earlier arrays again for arrays of the same size, as cudaMalloc does after
// cudaFree.
void TrialDevice::Place(const Plan& plan, std::size_t call) {
  const auto bytes_of = [](const Array& array) {
    return std::max<std::uint64_t>(array.now->bytes.size(), 1);
  };
  for (const auto& start : plan.arrays) {
    Array& array = arrays_.at(start);
    if (array.first_call == call) array.address = MemoryFor(bytes_of(array), plan.in_fresh_memory);
  }
  for (const auto& start : plan.arrays) {
    const Array& array = arrays_.at(start);
    if (array.last_call == call) left_.emplace(bytes_of(array), array.address);
  }
}

DeviceAddress TrialDevice::MemoryFor(std::uint64_t bytes, bool fresh) {
  const auto left = left_.lower_bound(bytes);
  if (left != left_.end() && left->first == bytes && !fresh) {
    const DeviceAddress address = left->second;
    left_.erase(left);
    return address;
  }
  const auto address = device_.Allocate(bytes);
  if (!address) StopWithoutMemory(bytes);
  return *address;
}

void TrialDevice::Fill(const Array& array) {
  const ArrayStart& start = *array.now;
  if (device_.Write(array.address, start.bytes) != DeviceError::kSuccess) {
    StopWithoutMemory(start.bytes.size());
  }
  for (const ByteRange& range : start.unwritten) {
    device_.MarkUnwritten(array.address + range.begin, range.bytes);
  }
  watched_.Watch(array.address, std::max<std::uint64_t>(start.bytes.size(), 1), start.is_input);
}

void TrialDevice::BeginCall() {
  bool all_new = true;
  const Plan& plan = *plans_[call_];
  for (std::size_t i = 0; i < plan.arrays.size(); ++i) {
    const std::shared_ptr<const ArrayStart>& start = plan.arrays[i];
    const Array& array = arrays_.at(start);
    if (array.first_call == call_) {
      Fill(array);
    } else {
      all_new = false;
    }
    device_.ForbidStores(array.address, ForbiddenOf(*start, plan.may_write.at(i)));
  }
  if (all_new) watched_.ForgetTraffic();
  std::vector<std::span<const std::byte>> of_host;
  for (const auto& argument : plans_[call_]->arguments) {
    const auto* const one = std::get_if<remote::Argument>(&argument);
    const auto* const array = one == nullptr ? nullptr : std::get_if<remote::HostArray>(one);
    if (array != nullptr && !array->comes_back) of_host.emplace_back(array->bytes);
  }
  watched_.BeginCall(std::move(of_host));
}

std::vector<DeviceAddress> TrialDevice::AddressesOf(const Plan& plan) const {
  std::vector<DeviceAddress> addresses;
  for (const auto& array : plan.arrays) addresses.push_back(arrays_.at(array).address);
  return addresses;
}

void TrialDevice::NameArrays(const Plan& plan, std::string_view header) {
  const std::string signature = DemangleType(plan.function);
  const std::vector<std::string> names = cpptext::ParameterNames(
      header, signature.substr(0, signature.find('(')), plan.arguments.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto* index = std::get_if<Plan::ArrayIndex>(&plan.arguments[i]);
    if (index == nullptr || names[i].empty()) continue;
    Array& array = arrays_.at(plan.arrays[*index]);
    array.name = names[i];
    const std::size_t elements = ElementsOf(array.now->extents);
    ArrayName name{
        .name = names[i],
        .element_bytes =
            elements == 0 ? 0 : static_cast<std::uint32_t>(array.now->bytes.size() / elements),
        .extents = {}};
    name.extents.assign(array.now->extents.begin(), array.now->extents.end());
    device_.NameArray(array.address, name);
  }
}

SharedBytes TrialDevice::Contents(const Array& array) {
  const SharedBytes& before = array.now->bytes;
  const auto memory = std::make_shared_for_overwrite<std::byte[]>(before.size());
  // After a sticky error no array can be read. The array then counts as unchanged.
  const DeviceError error = device_.Read(array.address, {memory.get(), before.size()});
  SharedBytes bytes({memory, memory.get()}, before.size());
  return error != DeviceError::kSuccess || bytes == before ? before : bytes;
}

void TrialDevice::KeepForLaterCalls() {
  for (auto& [start, array] : arrays_) {
    if (array.first_call > call_ || array.last_call <= call_) continue;
    SharedBytes bytes = Contents(array);
    if (bytes == array.now->bytes) continue;
    array.now = std::make_shared<ArrayStart>(
        ArrayStart{start->type, start->extents, std::move(bytes), start->is_input});
  }
}

void TrialDevice::MoveInto(Trial& trial) {
  if (trial.returned()) device_.NoteLeftovers();
  for (std::size_t i = 0; i < trial.plan->arrays.size(); ++i) {
    const Array& array = arrays_.at(trial.plan->arrays[i]);
    trial.arrays.push_back({.start = array.now,
                            .bytes = Contents(array),
                            .host_writes = watched_.WritesTo(array.address),
                            .address = array.address,
                            .name = array.name,
                            .may_write = trial.plan->may_write.at(i)});
  }
  trial.plan = Begun(trial);
  KeepForLaterCalls();
  ++call_;
  trial.traffic = watched_.Traffic();
  if (HostRequests requests = watched_.Requests(); !requests.empty()) {
    trial.requests = std::make_shared<const HostRequests>(std::move(requests));
  }
  auto [calls, doubt] = watched_.TakeHostCalls();
  trial.host_calls = std::move(calls);
  trial.host_calls_doubt = std::move(doubt);
  trial.launched = std::exchange(log_.launched, 0);
  trial.instructions = std::exchange(log_.instructions, 0);
  trial.times = std::exchange(log_.times, {});
  trial.moved = watched_.TakeMoved();
  trial.launches = log_.TakeLaunches();
  trial.findings = std::exchange(log_.findings, {});
  trial.device_output = std::exchange(log_.output, {});
}

}  // namespace warpcheck
