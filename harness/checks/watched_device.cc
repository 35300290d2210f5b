#include "checks/watched_device.h"

#include <algorithm>

#include "base/files.h"

namespace warpcheck {
namespace {

constexpr std::uint64_t kPieceBytes = 64;
constexpr int kMaxProbes = 16;
constexpr std::uint64_t kMaxExchanged = std::uint64_t{64} << 20;  // bytes

template <class Value>
std::span<const std::byte> BytesOf(const Value& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

// New words that reach the device once something was read back.
void WatchedDevice::HandedOver(std::span<const std::byte> bytes) {
  if (HasReadBack()) {
    traffic_.handed_over += words_.NewBytes(bytes);
  } else {
    words_.Know(bytes);
  }
}

void WatchedDevice::Watch(DeviceAddress address, std::uint64_t bytes, bool is_input) {
  std::erase_if(arrays_, [&](const Array& array) { return array.address == address; });
  arrays_.push_back({address, bytes, is_input});
  words_.Know(BytesOf(address));
}

void WatchedDevice::ForgetTraffic() {
  traffic_ = {};
  choices_.Forget();
  has_results_ = false;
  probes_ = 0;
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
  choices_.Request(values...);
  if (seen) choices_.Deliver();
  traffic_.could_say = choices_.Bytes();
}

// The runtime reads all memory that host and device share after every launch: what has not changed
// tells the host nothing.
bool WatchedDevice::IsNews(DeviceAddress address, std::span<const std::byte> bytes) {
  std::vector<std::byte>& last = exchanged_[{address, bytes.size()}];
  if (std::ranges::equal(last, bytes)) return false;
  exchanged_bytes_ += last.empty() ? bytes.size() + sizeof(std::vector<std::byte>) : 0;
  last.assign(bytes.begin(), bytes.end());
  if (exchanged_bytes_ > kMaxExchanged) {  // what is forgotten is news
    exchanged_.clear();
    exchanged_bytes_ = 0;
  }
  return true;
}

DeviceResult<DeviceAddress> WatchedDevice::Allocate(std::uint64_t bytes, DeviceAddress at) {
  const auto address = device_.Allocate(bytes, at);
  if (!address) return address;
  Chose(false, bytes, at);  // which moves what comes after it
  words_.Know(BytesOf(*address));
  return address;
}

DeviceError WatchedDevice::Free(DeviceAddress address) {
  if (ArrayAt(address) != nullptr) return DeviceError::kInvalidValue;
  const DeviceError error = device_.Free(address);
  if (error == DeviceError::kSuccess) Chose(false, address);
  return error;
}

DeviceError WatchedDevice::Write(DeviceAddress to, std::span<const std::byte> bytes) {
  const DeviceError error = device_.Write(to, bytes);
  if (error != DeviceError::kSuccess) return error;
  if (traffic_.read_from_arrays > 0) traffic_.written_to_device += bytes.size();
  if (HasReadBack()) traffic_.handed_over += words_.NewBytes(bytes);
  Chose(IsOutput(to), to, bytes.size(), bytes);
  if (IsOutput(to)) traffic_.written_to_outputs += bytes.size();
  if (ArrayAt(to) == nullptr) static_cast<void>(IsNews(to, bytes));
  return error;
}

DeviceError WatchedDevice::Read(DeviceAddress from, std::span<std::byte> bytes) {
  const DeviceError error = device_.Read(from, bytes);
  if (error != DeviceError::kSuccess) return error;
  // The runtime asks in this way whether an address is the device's.
  if (bytes.size() == 1 && ++probes_ <= kMaxProbes) return error;
  if (ArrayAt(from) != nullptr) {
    traffic_.read_from_arrays += bytes.size();
  } else if (IsNews(from, bytes) && has_results_) {
    traffic_.read_back += bytes.size();
  }
  return error;
}

DeviceError WatchedDevice::Copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  const DeviceError error = device_.Copy(to, from, bytes);
  if (error != DeviceError::kSuccess) return error;
  if (bytes <= kPieceBytes) traffic_.copied_in_pieces += bytes;
  if (IsConstant(to)) traffic_.copied_to_constants += bytes;
  Chose(IsOutput(to), to, from, bytes);
  const Array* source = ArrayAt(from);
  if (source == nullptr) return error;
  has_results_ = true;
  if (source->is_input && IsOutput(to)) traffic_.copied_input_to_output += bytes;
  return error;
}

DeviceError WatchedDevice::Fill(DeviceAddress to, std::byte value, std::uint64_t bytes) {
  const DeviceError error = device_.Fill(to, value, bytes);
  if (error == DeviceError::kSuccess && HasReadBack()) {
    traffic_.handed_over += words_.NewBytes(BytesOf(value));
    Chose(IsOutput(to), to, value, bytes);
  }
  return error;
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
  const DeviceError error = device_.Launch(request);
  if (error != DeviceError::kSuccess) return error;
  if (HasReadBack()) choices_.OneOf(kernels_);
  Chose(true, request.grid, request.block, request.dynamic_shared_bytes,
        std::span<const std::byte>(request.parameters));
  HandedOver(request.parameters);
  has_results_ = true;
  return error;
}

void WatchedDevice::NoteUnsupportedCall(std::string_view function) {
  device_.NoteUnsupportedCall(function);
}

void WatchedDevice::NoteMisuse(FindingKind kind, std::string_view message) {
  device_.NoteMisuse(kind, message);
}

}  // namespace warpcheck
