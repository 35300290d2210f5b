#include "remote/request_device.h"

#include <algorithm>

#include "remote/protocol.h"

namespace warpcheck::remote {
namespace {

// What one frame brings of a box.
struct Part {
  std::uint64_t x, y, z;  // where it begins
  Extent3 extent;
  std::uint64_t before;  // bytes of the box without its gaps
};

// So many of `count` things of `bytes` bytes as a frame can bring, at least one.
std::uint64_t InAFrame(std::uint64_t count, std::uint64_t bytes) {
  return std::clamp<std::uint64_t>(kMaxCopyBytes / std::max<std::uint64_t>(bytes, 1), 1,
                                   std::max<std::uint64_t>(count, 1));
}

// Cuts a box that has no more bytes than its span into parts that frames can bring: slices, or rows
// of one, or bytes of one row. Until one fails.
template <class Ask>
DeviceError ForEachPart(const Extent3& box, Ask ask) {
  const Extent3 most = {.width = InAFrame(box.width, 1),
                        .height = InAFrame(box.height, box.width),
                        .depth = InAFrame(box.depth, box.width * box.height)};
  std::uint64_t before = 0;
  for (std::uint64_t z = 0; z < box.depth; z += most.depth) {
    for (std::uint64_t y = 0; y < box.height; y += most.height) {
      for (std::uint64_t x = 0; x < box.width; x += most.width) {
        const Extent3 extent = {.width = std::min(most.width, box.width - x),
                                .height = std::min(most.height, box.height - y),
                                .depth = std::min(most.depth, box.depth - z)};
        const DeviceError error = ask(Part{x, y, z, extent, before});
        if (error != DeviceError::kSuccess) return error;
        before += extent.Bytes();
      }
    }
  }
  return DeviceError::kSuccess;
}

}  // namespace

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

DeviceError RequestDevice::Reset() {
  const Lock lock(mutex_);
  head_.Clear();
  return Request(Kind::kReset);
}

bool RequestDevice::Holds(DeviceAddress address, std::uint64_t bytes) {
  const Lock lock(mutex_);
  head_.Clear();
  head_.U64(address);
  head_.U64(bytes);
  return Request(Kind::kHolds) == DeviceError::kSuccess;
}

void RequestDevice::StartPart(const DeviceBox& part, const Extent3& extent, std::uint64_t reach) {
  head_.Clear();
  Encode(head_, part);
  Encode(head_, extent);
  head_.U64(reach);
}

DeviceError RequestDevice::WriteBox(const DeviceBox& to, const Extent3& extent,
                                    std::span<const std::byte> bytes) {
  const auto span = SpanOf(to.strides, extent);
  if (!span || extent.Bytes() != bytes.size()) return DeviceError::kInvalidValue;
  const Lock lock(mutex_);
  return ForEachPart(Joined(extent, to.strides), [&](const Part& part) {
    const std::uint64_t offset = part.x + to.strides.Offset(part.y, part.z);
    StartPart({to.address + offset, to.strides}, part.extent, *span - offset);
    return Request(Kind::kWrite, bytes.subspan(part.before, part.extent.Bytes()));
  });
}

DeviceError RequestDevice::ReadBox(const DeviceBox& from, const Extent3& extent,
                                   std::span<std::byte> bytes) {
  const auto span = SpanOf(from.strides, extent);
  if (!span || extent.Bytes() != bytes.size()) return DeviceError::kInvalidValue;
  const Lock lock(mutex_);
  return ForEachPart(Joined(extent, from.strides), [&](const Part& part) {
    const std::uint64_t offset = part.x + from.strides.Offset(part.y, part.z);
    StartPart({from.address + offset, from.strides}, part.extent, *span - offset);
    const auto into = bytes.subspan(part.before, part.extent.Bytes());
    const Answer answer = Ask({Kind::kRead, head_.payload(), {}, into});
    return answer.rest.empty() ? answer.error : Broken();
  });
}

DeviceError RequestDevice::CopyBox(const DeviceBox& to, const DeviceBox& from,
                                   const Extent3& extent) {
  const Lock lock(mutex_);
  head_.Clear();
  Encode(head_, to);
  Encode(head_, from);
  Encode(head_, extent);
  return Request(Kind::kCopy);
}

DeviceError RequestDevice::FillBox(const DeviceBox& to, const Extent3& extent, std::byte value) {
  const Lock lock(mutex_);
  head_.Clear();
  Encode(head_, to);
  Encode(head_, extent);
  head_.U8(static_cast<std::uint8_t>(value));
  return Request(Kind::kFill);
}

DeviceResult<ModuleInfo> RequestDevice::LoadModule(std::string_view ptx) {
  if (ptx.size() > kMaxPtxBytes) return tl::unexpected(DeviceError::kInvalidPtx);
  const Lock lock(mutex_);
  head_.Clear();
  const Answer answer = AskWith(Kind::kLoadModule, std::as_bytes(std::span(ptx)));
  Decoder reply(answer.rest);
  ModuleInfo module;
  if (answer.error == DeviceError::kSuccess) module = Decode<ModuleInfo>(reply);
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
