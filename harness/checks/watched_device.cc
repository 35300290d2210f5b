#include "checks/watched_device.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/files.h"

namespace warpcheck {

void WatchedDevice::Watch(DeviceAddress address, std::uint64_t bytes, bool is_input) {
  std::erase_if(arrays_, [&](const Array& array) { return array.address == address; });
  arrays_.push_back({address, bytes, is_input});
  copied_.Allocated(address);
  copied_.Filled({.address = address}, {.width = bytes});  // by the judge, whoever wrote before
  words_.Know(RawBytes(address));
}

void WatchedDevice::ForgetTraffic() {
  traffic_ = {};
  covert_channel_.Forget();
  has_results_ = false;
  copied_.ForgetSeen();
}

// Every request's range lies within one allocation, so its start tells which array it concerns.
const WatchedDevice::Array* WatchedDevice::ArrayAt(DeviceAddress address) const {
  for (const Array& array : arrays_) {
    if (address >= array.address && address - array.address < array.bytes) return &array;
  }
  return nullptr;
}

bool WatchedDevice::IsOutput(DeviceAddress address) const {
  const Array* array = ArrayAt(address);
  return array != nullptr && !array->is_input;
}

template <class... Values>
void WatchedDevice::Chose(bool seen, const Values&... values) {
  if (!HasReadBack()) return;
  covert_channel_.Request(values...);
  if (seen) covert_channel_.Deliver();
  traffic_.could_say = covert_channel_.Bytes();
}

// A box in rows says where those lie, too.
template <class... Values>
void WatchedDevice::ChoseBox(bool seen, const Extent3& extent,
                             std::initializer_list<DeviceBox> boxes, const Values&... values) {
  Extent3 rows = extent;
  for (const DeviceBox& box : boxes) rows = Joined(rows, box.strides);
  if (rows.height == 1 && rows.depth == 1) return Chose(seen, values...);
  for (const DeviceBox& box : boxes) Chose(false, box.strides.pitch, box.strides.slice);
  Chose(seen, values..., rows.height, rows.depth);
}

// The runtime reads all memory that host and device share after every launch: what has not changed
// tells the host nothing.
bool WatchedDevice::IsNews(DeviceAddress address, std::span<const std::byte> bytes) {
  constexpr std::uint64_t kMaxExchanged = std::uint64_t{64} << 20;  // bytes
  const auto after = exchanged_.upper_bound(address);
  if (after != exchanged_.begin()) {
    auto& [begin, last] = *std::prev(after);
    const std::uint64_t offset = address - begin;
    if (offset <= last.size() && bytes.size() <= last.size() - offset) {
      const auto known = std::span(last).subspan(offset, bytes.size());
      if (std::ranges::equal(known, bytes)) return false;
      std::ranges::copy(bytes, known.begin());
      return true;
    }
  }
  exchanged_.erase(exchanged_.lower_bound(address), exchanged_.lower_bound(address + bytes.size()));
  exchanged_bytes_ += bytes.size() + sizeof(std::vector<std::byte>);
  if (exchanged_bytes_ > kMaxExchanged) {  // what is forgotten is news
    exchanged_.clear();
    exchanged_bytes_ = bytes.size();
  }
  exchanged_[address].assign(bytes.begin(), bytes.end());
  return true;
}

DeviceResult<DeviceAddress> WatchedDevice::Allocate(std::uint64_t bytes, DeviceAddress at) {
  const auto address = device_.Allocate(bytes, at);
  if (!address) return address;
  Chose(false, bytes, at);  // which moves what comes after it
  words_.Know(RawBytes(*address));
  copied_.Allocated(*address);
  return address;
}

DeviceError WatchedDevice::Free(DeviceAddress address) {
  if (ArrayAt(address) != nullptr) return DeviceError::kInvalidValue;
  const DeviceError error = device_.Free(address);
  if (error == DeviceError::kSuccess) Chose(false, address);
  return error;
}

DeviceError WatchedDevice::Reset() {
  const DeviceError error = device_.Reset();
  if (error != DeviceError::kSuccess) return error;
  copied_.Reset();
  if (!arrays_.empty() && !std::exchange(traffic_.reset, true)) {
    device_.NoteMisuse(
        FindingKind::kInvalidFree,
        "cudaDeviceReset() frees all device memory, the arrays that the function was "
        "given too: they belong to its caller");
  }
  return error;
}

DeviceError WatchedDevice::WriteBox(const DeviceBox& to, const Extent3& extent,
                                    std::span<const std::byte> bytes) {
  const DeviceError error = device_.WriteBox(to, extent, bytes);
  if (error != DeviceError::kSuccess || extent.Empty()) return error;
  if (traffic_.read_from_arrays > 0) traffic_.written_to_device += bytes.size();
  if (HasReadBack()) traffic_.handed_over += words_.NewBytes(bytes);
  ChoseBox(IsOutput(to.address), extent, {to}, to.address, bytes.size(), bytes);
  if (IsOutput(to.address)) copied_.Written(to, extent);
  if (ArrayAt(to.address) == nullptr) static_cast<void>(IsNews(to.address, bytes));
  return error;
}

DeviceError WatchedDevice::ReadBox(const DeviceBox& from, const Extent3& extent,
                                   std::span<std::byte> bytes) {
  const DeviceError error = device_.ReadBox(from, extent, bytes);
  if (error != DeviceError::kSuccess) return error;
  if (ArrayAt(from.address) != nullptr) {
    traffic_.read_from_arrays += bytes.size();
  } else if (IsNews(from.address, bytes) && has_results_) {
    traffic_.read_back += bytes.size();
  }
  return error;
}

DeviceError WatchedDevice::CopyBox(const DeviceBox& to, const DeviceBox& from,
                                   const Extent3& extent) {
  const Array* source = ArrayAt(from.address);
  const bool from_input = source != nullptr && source->is_input;
  const DeviceError error = device_.CopyBox(to, from, extent);
  if (error != DeviceError::kSuccess || extent.Empty()) return error;
  copied_.Copied(to, from, extent, from_input);
  if (IsConstant(to.address)) traffic_.copied_to_constants += extent.Bytes();
  ChoseBox(IsOutput(to.address), extent, {to, from}, to.address, from.address, extent.width);
  if (source != nullptr) has_results_ = true;
  return error;
}

DeviceError WatchedDevice::FillBox(const DeviceBox& to, const Extent3& extent, std::byte value) {
  const DeviceError error = device_.FillBox(to, extent, value);
  if (error != DeviceError::kSuccess || extent.Empty()) return error;
  copied_.Filled(to, extent);
  if (HasReadBack()) {
    traffic_.handed_over += words_.NewBytes(RawBytes(value));
    ChoseBox(IsOutput(to.address), extent, {to}, to.address, value, extent.width);
  }
  return error;
}

HostTraffic WatchedDevice::Traffic() {
  HostTraffic traffic = traffic_;
  for (const Array& array : arrays_) {
    if (array.is_input) continue;
    const CopiedBytes::Content content = copied_.ContentOf(array.address, array.bytes);
    traffic.written_to_outputs += content.of_host;
    traffic.copied_input_to_output += content.of_inputs;
    traffic.unsure_in_outputs += content.unsure;
    traffic.rearranged_in_outputs += content.rearranged;
  }
  traffic.rearranged = copied_.Rearranged();
  traffic.too_many_pieces = copied_.limit_reached();
  return traffic;
}

bool WatchedDevice::IsOwnCode(std::string_view ptx) const {
  const auto object = ReadFile(code_);
  return object && object->find(ptx) != std::string::npos;
}

// Of a module that has constant memory, any variable that fits there: which of them do lie there is
// not known.
void WatchedDevice::FindConstants(const ModuleInfo& module) {
  std::uint64_t bytes = 0;
  for (const KernelInfo& kernel : module.kernels) {
    bytes = std::max<std::uint64_t>(bytes, kernel.constant_bytes);
  }
  for (const VariableInfo& variable : module.variables) {
    if (variable.bytes <= bytes) constants_.push_back(variable);
  }
}

bool WatchedDevice::IsConstant(DeviceAddress address) const {
  return std::ranges::any_of(constants_, [&](const VariableInfo& constant) {
    return address >= constant.address && address - constant.address < constant.bytes;
  });
}

DeviceResult<ModuleInfo> WatchedDevice::LoadModule(std::string_view ptx) {
  auto module = device_.LoadModule(ptx);
  if (!module) return module;
  kernels_ += module->kernels.size();
  FindConstants(*module);
  // Text that is made now could hold anything.
  if (HasReadBack() && !IsOwnCode(ptx)) traffic_.handed_over += ptx.size();
  Chose(false, ptx.size(), ptx.size());  // where its part of the object begins and ends
  return module;
}

DeviceError WatchedDevice::UnloadModule(ModuleId module) {
  const DeviceError error = device_.UnloadModule(module);
  if (error == DeviceError::kSuccess) Chose(false, module);
  return error;
}

DeviceError WatchedDevice::Launch(const LaunchRequest& request) {
  copied_.Launched();
  const DeviceError error = device_.Launch(request);
  if (error != DeviceError::kSuccess) return error;
  if (HasReadBack()) {
    covert_channel_.OneOf(kernels_);
    traffic_.handed_over += words_.NewBytes(request.parameters);
  } else {  // which it may use again
    words_.Know(RawBytes(request.grid));
    words_.Know(RawBytes(request.block));
    words_.Know(request.parameters);
  }
  Chose(true, request.grid, request.block, request.dynamic_shared_bytes,
        std::span<const std::byte>(request.parameters));
  has_results_ = true;
  return error;
}

}  // namespace warpcheck
