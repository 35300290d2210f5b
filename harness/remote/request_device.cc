#include "remote/request_device.h"

#include <algorithm>
#include <utility>

#include "order/host_call.h"
#include "remote/protocol.h"

namespace warpcheck::remote {
namespace {

// The part of a box that one frame carries.
struct Part {
  std::uint64_t x, y, z;  // the position in the box where it begins
  Extent3 extent;
  std::uint64_t before;  // bytes of the box before this part, without gaps
};

// Returns how many of `count` elements of `bytes` bytes fit in a frame, but at least one.
std::uint64_t InAFrame(std::uint64_t count, std::uint64_t bytes) {
  return std::clamp<std::uint64_t>(kMaxCopyBytes / std::max<std::uint64_t>(bytes, 1), 1,
                                   std::max<std::uint64_t>(count, 1));
}

// Cuts a box that has no more bytes than its span into parts that fit in frames: slices, rows of a
// slice, or bytes of a row. Stops when `ask` fails.
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
        WARPCHECK_TRY_CODE(ask(Part{x, y, z, extent, before}));
        before += extent.Bytes();
      }
    }
  }
  return DeviceError::kSuccess;
}

}  // namespace

DeviceError RequestDevice::Finish(Kind kind, std::span<const std::byte> tail) {
  const Answer answer = AskWith(kind, tail);
  return answer.rest.empty() ? answer.error : Broken();
}

DeviceResult<std::uint64_t> RequestDevice::FinishWithNumber(Kind kind) {
  const Answer answer = AskWith(kind);
  Decoder reply(answer.rest);
  const std::uint64_t number = answer.error == DeviceError::kSuccess ? reply.U64() : 0;
  if (!reply.Complete()) return tl::unexpected(Broken());
  if (answer.error != DeviceError::kSuccess) return tl::unexpected(answer.error);
  return number;
}

MemoryInfo RequestDevice::Memory() {
  const Lock lock(mutex_);
  Begin();
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
  Begin(bytes, at);
  const auto address = FinishWithNumber(Kind::kAllocate);
  if (address && at == 0) Remember(*address, bytes);
  return address;
}

DeviceError RequestDevice::Free(DeviceAddress address) { return Request(Kind::kFree, address); }

DeviceError RequestDevice::Reset() { return Request(Kind::kReset); }

bool RequestDevice::Holds(DeviceAddress address, std::uint64_t bytes) {
  return Request(Kind::kHolds, address, bytes) == DeviceError::kSuccess;
}

DeviceError RequestDevice::WriteBox(const DeviceBox& to, const Extent3& extent,
                                    std::span<const std::byte> bytes) {
  const auto span = SpanOf(to.strides, extent);
  if (!span || extent.Bytes() != bytes.size()) return DeviceError::kInvalidValue;
  const Lock lock(mutex_);
  return ForEachPart(Joined(extent, to.strides), [&](const Part& part) {
    const std::uint64_t offset = part.x + to.strides.Offset(part.y, part.z);
    Begin(DeviceBox{to.address + offset, to.strides}, part.extent, *span - offset);
    return Finish(Kind::kWrite, bytes.subspan(part.before, part.extent.Bytes()));
  });
}

DeviceError RequestDevice::ReadBox(const DeviceBox& from, const Extent3& extent,
                                   std::span<std::byte> bytes) {
  const auto span = SpanOf(from.strides, extent);
  if (!span || extent.Bytes() != bytes.size()) return DeviceError::kInvalidValue;
  const Lock lock(mutex_);
  return ForEachPart(Joined(extent, from.strides), [&](const Part& part) {
    const std::uint64_t offset = part.x + from.strides.Offset(part.y, part.z);
    Begin(DeviceBox{from.address + offset, from.strides}, part.extent, *span - offset);
    const auto into = bytes.subspan(part.before, part.extent.Bytes());
    const Answer answer = Ask({Kind::kRead, head_.payload(), {}, into});
    return answer.rest.empty() ? answer.error : Broken();
  });
}

DeviceError RequestDevice::CopyBox(const DeviceBox& to, const DeviceBox& from,
                                   const Extent3& extent) {
  return Request(Kind::kCopy, to, from, extent);
}

DeviceError RequestDevice::FillBox(const DeviceBox& to, const Extent3& extent, std::byte value) {
  return Request(Kind::kFill, to, extent, value);
}

DeviceResult<TextureHandle> RequestDevice::CreateTexture(const TextureDescriptor& texture) {
  const Lock lock(mutex_);
  Begin(texture);
  return FinishWithNumber(Kind::kCreateTexture);
}

DeviceError RequestDevice::DestroyTexture(const TextureKey& texture) {
  return Request(Kind::kDestroyTexture, texture.handle, texture.is_surface);
}

DeviceResult<ModuleInfo> RequestDevice::LoadModule(std::string_view ptx) {
  if (ptx.size() > kMaxPtxBytes) return tl::unexpected(DeviceError::kInvalidPtx);
  const Lock lock(mutex_);
  Begin();
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
  return Request(Kind::kUnloadModule, module);
}

DeviceError RequestDevice::Launch(const LaunchRequest& request) {
  if (request.kernel.size() > kMaxNameBytes) return DeviceError::kInvalidDeviceFunction;
  if (request.parameters.size() > kMaxParameterBytes) return DeviceError::kInvalidValue;
  return Request(Kind::kLaunch, request);
}

void RequestDevice::NoteUnsupportedCall(std::string_view function) {
  (void)Request(Kind::kNoteUnsupportedCall,
                std::string(function.substr(0, kMaxUnsupportedCallBytes)));
}

void RequestDevice::NoteMisuse(const Finding& finding) {
  const auto cut = [](const std::string& text) { return text.substr(0, kMaxMisuseBytes); };
  const auto place = [&](const SourceLocation& where) {
    return std::pair(cut(where.file), static_cast<std::uint32_t>(std::max(where.line, 0)));
  };
  const auto [file, line] = place(finding.where);
  const auto [other_file, other_line] = place(finding.other);
  (void)Request(Kind::kNoteMisuse, std::string(Name(finding.kind)), cut(finding.message),
                cut(finding.hint), file, line, other_file, other_line);
}

void RequestDevice::NoteHostCalls(const HostCalls& calls) {
  const Lock lock(mutex_);
  HostCalls sent = calls;
  for (Begin(sent); head_.payload().size() > kMaxHostCallsBytes; Begin(sent)) {
    const std::size_t kept = sent.calls.size() / 2;
    for (std::size_t i = kept; i < sent.calls.size(); ++i) sent.left_out += sent.calls[i].count;
    sent.calls.resize(kept);
  }
  (void)Finish(Kind::kNoteHostCalls);
}

void RequestDevice::WatchUses() { (void)Request(Kind::kWatchUses); }

LaunchUses RequestDevice::TakeUses() {
  const Lock lock(mutex_);
  Begin();
  const Answer answer = AskWith(Kind::kTakeUses);
  Decoder reply(answer.rest);
  LaunchUses uses;
  if (answer.error == DeviceError::kSuccess) uses = Decode<LaunchUses>(reply);
  if (!reply.Complete()) (void)Broken();
  return uses;
}

}  // namespace warpcheck::remote
