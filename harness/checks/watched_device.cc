#include "checks/watched_device.h"

namespace warpcheck {

void WatchedDevice::Watch(DeviceAddress address, std::uint64_t bytes, bool is_input) {
  arrays_.push_back({address, bytes, is_input});
}

// Every request's range lies within one allocation, so its start tells which array it concerns.
const WatchedDevice::Array* WatchedDevice::ArrayAt(DeviceAddress address) const {
  for (const Array& array : arrays_) {
    if (address >= array.address && address - array.address < array.bytes) return &array;
  }
  return nullptr;
}

DeviceResult<DeviceAddress> WatchedDevice::Allocate(std::uint64_t bytes, DeviceAddress at) {
  return device_.Allocate(bytes, at);
}

DeviceError WatchedDevice::Free(DeviceAddress address) {
  return ArrayAt(address) != nullptr ? DeviceError::kInvalidValue : device_.Free(address);
}

DeviceError WatchedDevice::Write(DeviceAddress to, std::span<const std::byte> bytes) {
  const DeviceError error = device_.Write(to, bytes);
  if (error != DeviceError::kSuccess) return error;
  if (traffic_.read_from_arrays > 0) traffic_.written_to_device += bytes.size();
  const Array* array = ArrayAt(to);
  if (array != nullptr && !array->is_input) traffic_.written_to_outputs += bytes.size();
  return error;
}

DeviceError WatchedDevice::Read(DeviceAddress from, std::span<std::byte> bytes) {
  const DeviceError error = device_.Read(from, bytes);
  if (error == DeviceError::kSuccess && ArrayAt(from) != nullptr) {
    traffic_.read_from_arrays += bytes.size();
  }
  return error;
}

DeviceError WatchedDevice::Copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  const DeviceError error = device_.Copy(to, from, bytes);
  const Array* target = ArrayAt(to);
  const Array* source = ArrayAt(from);
  if (error == DeviceError::kSuccess && target != nullptr && source != nullptr &&
      source->is_input && !target->is_input) {
    traffic_.copied_input_to_output += bytes;
  }
  return error;
}

DeviceError WatchedDevice::Fill(DeviceAddress to, std::byte value, std::uint64_t bytes) {
  return device_.Fill(to, value, bytes);
}

DeviceResult<ModuleInfo> WatchedDevice::LoadModule(std::string_view ptx) {
  return device_.LoadModule(ptx);
}

DeviceError WatchedDevice::UnloadModule(ModuleId module) { return device_.UnloadModule(module); }

DeviceError WatchedDevice::Launch(const LaunchRequest& request) { return device_.Launch(request); }

void WatchedDevice::NoteUnsupportedCall(std::string_view function) {
  device_.NoteUnsupportedCall(function);
}

void WatchedDevice::NoteMisuse(FindingKind kind, std::string_view message) {
  device_.NoteMisuse(kind, message);
}

}  // namespace warpcheck
