#include "checks/watched_device.h"

#include "base/files.h"

namespace warpcheck {
namespace {

constexpr std::uint64_t kPieceBytes = 64;

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
  arrays_.push_back({address, bytes, is_input});
  words_.Know(BytesOf(address));
}

// Every request's range lies within one allocation, so its start tells which array it concerns.
const WatchedDevice::Array* WatchedDevice::ArrayAt(DeviceAddress address) const {
  for (const Array& array : arrays_) {
    if (address >= array.address && address - array.address < array.bytes) return &array;
  }
  return nullptr;
}

DeviceResult<DeviceAddress> WatchedDevice::Allocate(std::uint64_t bytes, DeviceAddress at) {
  const auto address = device_.Allocate(bytes, at);
  if (address) words_.Know(BytesOf(*address));
  return address;
}

DeviceError WatchedDevice::Free(DeviceAddress address) {
  return ArrayAt(address) != nullptr ? DeviceError::kInvalidValue : device_.Free(address);
}

DeviceError WatchedDevice::Write(DeviceAddress to, std::span<const std::byte> bytes) {
  const DeviceError error = device_.Write(to, bytes);
  if (error != DeviceError::kSuccess) return error;
  if (traffic_.read_from_arrays > 0) traffic_.written_to_device += bytes.size();
  if (HasReadBack()) traffic_.handed_over += words_.NewBytes(bytes);
  const Array* array = ArrayAt(to);
  if (array != nullptr && !array->is_input) traffic_.written_to_outputs += bytes.size();
  return error;
}

DeviceError WatchedDevice::Read(DeviceAddress from, std::span<std::byte> bytes) {
  const DeviceError error = device_.Read(from, bytes);
  if (error != DeviceError::kSuccess) return error;
  if (ArrayAt(from) != nullptr) {
    traffic_.read_from_arrays += bytes.size();
  } else if (launched_) {
    traffic_.read_back += bytes.size();
  }
  return error;
}

DeviceError WatchedDevice::Copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  const DeviceError error = device_.Copy(to, from, bytes);
  if (error == DeviceError::kSuccess && bytes <= kPieceBytes) traffic_.copied_in_pieces += bytes;
  const Array* target = ArrayAt(to);
  const Array* source = ArrayAt(from);
  if (error == DeviceError::kSuccess && target != nullptr && source != nullptr &&
      source->is_input && !target->is_input) {
    traffic_.copied_input_to_output += bytes;
  }
  return error;
}

DeviceError WatchedDevice::Fill(DeviceAddress to, std::byte value, std::uint64_t bytes) {
  const DeviceError error = device_.Fill(to, value, bytes);
  if (error == DeviceError::kSuccess && HasReadBack()) {
    traffic_.handed_over += words_.NewBytes(BytesOf(value));
  }
  return error;
}

bool WatchedDevice::IsOwnCode(std::string_view ptx) const {
  const auto object = ReadFile(code_);
  return object && object->find(ptx) != std::string::npos;
}

DeviceResult<ModuleInfo> WatchedDevice::LoadModule(std::string_view ptx) {
  auto module = device_.LoadModule(ptx);
  // Text that is made now could hold anything.
  if (module && HasReadBack() && !IsOwnCode(ptx)) traffic_.handed_over += ptx.size();
  return module;
}

DeviceError WatchedDevice::UnloadModule(ModuleId module) { return device_.UnloadModule(module); }

DeviceError WatchedDevice::Launch(const LaunchRequest& request) {
  const DeviceError error = device_.Launch(request);
  if (error != DeviceError::kSuccess) return error;
  HandedOver(request.parameters);
  launched_ = true;
  return error;
}

void WatchedDevice::NoteUnsupportedCall(std::string_view function) {
  device_.NoteUnsupportedCall(function);
}

void WatchedDevice::NoteMisuse(FindingKind kind, std::string_view message) {
  device_.NoteMisuse(kind, message);
}

}  // namespace warpcheck
