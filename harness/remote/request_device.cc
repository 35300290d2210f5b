#include "remote/request_device.h"

#include <algorithm>

#include "remote/messages.h"

namespace warpcheck::remote {

DeviceError RequestDevice::Request(Kind kind, std::span<const std::byte> tail) {
  const Answer answer = AskWith(kind, tail);
  return answer.rest.empty() ? answer.error : Broken();
}

MemoryInfo RequestDevice::Memory() {
  const Lock lock(mutex_);
  head_.Clear();
  const Answer answer = AskWith(Kind::kMemory);
  if (answer.error != DeviceError::kSuccess) return {};
  Decoder reply(answer.rest);
  MemoryInfo memory;
  memory.free_bytes = reply.U64();
  memory.total_bytes = reply.U64();
  if (!reply.Complete()) (void)Broken();
  return memory;
}

DeviceResult<DeviceAddress> RequestDevice::Allocate(std::uint64_t bytes, DeviceAddress at) {
  const Lock lock(mutex_);
  head_.Clear();
  head_.U64(bytes);
  head_.U64(at);
  const Answer answer = AskWith(Kind::kAllocate);
  Decoder reply(answer.rest);
  const DeviceAddress address = answer.error == DeviceError::kSuccess ? reply.U64() : 0;
  if (!reply.Complete()) return tl::unexpected(Broken());
  if (answer.error != DeviceError::kSuccess) return tl::unexpected(answer.error);
  if (at == 0) Remember(address, bytes);
  return address;
}

DeviceError RequestDevice::Free(DeviceAddress address) {
  const Lock lock(mutex_);
  head_.Clear();
  head_.U64(address);
  return Request(Kind::kFree);
}

DeviceError RequestDevice::Write(DeviceAddress to, std::span<const std::byte> bytes) {
  const Lock lock(mutex_);
  DeviceError error = DeviceError::kSuccess;
  do {
    const std::size_t part = std::min(bytes.size(), kMaxCopyBytes);
    head_.Clear();
    head_.U64(to);
    head_.U64(bytes.size());
    error = Request(Kind::kWrite, bytes.first(part));
    to += part;
    bytes = bytes.subspan(part);
  } while (error == DeviceError::kSuccess && !bytes.empty());
  return error;
}

DeviceError RequestDevice::Read(DeviceAddress from, std::span<std::byte> bytes) {
  const Lock lock(mutex_);
  do {
    const std::size_t part = std::min(bytes.size(), kMaxCopyBytes);
    head_.Clear();
    head_.U64(from);
    head_.U64(bytes.size());
    head_.U64(part);
    const Answer answer = Ask({Kind::kRead, head_.payload(), {}, bytes.first(part)});
    if (!answer.rest.empty()) return Broken();
    if (answer.error != DeviceError::kSuccess) return answer.error;
    from += part;
    bytes = bytes.subspan(part);
  } while (!bytes.empty());
  return DeviceError::kSuccess;
}

DeviceError RequestDevice::Copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  const Lock lock(mutex_);
  head_.Clear();
  head_.U64(to);
  head_.U64(from);
  head_.U64(bytes);
  return Request(Kind::kCopy);
}

DeviceError RequestDevice::Fill(DeviceAddress to, std::byte value, std::uint64_t bytes) {
  const Lock lock(mutex_);
  head_.Clear();
  head_.U64(to);
  head_.U8(static_cast<std::uint8_t>(value));
  head_.U64(bytes);
  return Request(Kind::kFill);
}

DeviceResult<ModuleInfo> RequestDevice::LoadModule(std::string_view ptx) {
  if (ptx.size() > kMaxPtxBytes) return tl::unexpected(DeviceError::kInvalidPtx);
  const Lock lock(mutex_);
  head_.Clear();
  const Answer answer = AskWith(Kind::kLoadModule, std::as_bytes(std::span(ptx)));
  Decoder reply(answer.rest);
  ModuleInfo module;
  if (answer.error == DeviceError::kSuccess) module = DecodeModule(reply);
  if (!reply.Complete()) return tl::unexpected(Broken());
  if (answer.error != DeviceError::kSuccess) return tl::unexpected(answer.error);
  for (const VariableInfo& variable : module.variables) Remember(variable.address, variable.bytes);
  return module;
}

DeviceError RequestDevice::UnloadModule(ModuleId module) {
  const Lock lock(mutex_);
  head_.Clear();
  head_.U32(module);
  return Request(Kind::kUnloadModule);
}

DeviceError RequestDevice::Launch(const LaunchRequest& request) {
  if (request.kernel.size() > kMaxNameBytes) return DeviceError::kInvalidDeviceFunction;
  if (request.parameters.size() > kMaxParameterBytes) return DeviceError::kInvalidValue;
  const Lock lock(mutex_);
  head_.Clear();
  Encode(head_, request);
  return Request(Kind::kLaunch);
}

void RequestDevice::NoteUnsupportedCall(std::string_view function) {
  const Lock lock(mutex_);
  head_.Clear();
  head_.Text(function.substr(0, kMaxUnsupportedCallBytes));
  (void)Request(Kind::kNoteUnsupportedCall);
}

void RequestDevice::NoteMisuse(FindingKind kind, std::string_view message) {
  const Lock lock(mutex_);
  head_.Clear();
  head_.Text(Name(kind));
  head_.Text(message.substr(0, kMaxMisuseBytes));
  (void)Request(Kind::kNoteMisuse);
}

}  // namespace warpcheck::remote
