#include "remote/session.h"

#include <algorithm>

#include "device/counters.h"
#include "remote/protocol.h"

namespace warpcheck::remote {
namespace {

// Host addresses on Linux for x86-64 end here.
constexpr DeviceAddress kHostAddressEnd = DeviceAddress{1} << 47;
constexpr std::uint64_t kAllocationAlignment = 512;

bool MayAllocateAt(DeviceAddress at, std::uint64_t bytes) {
  return at % kAllocationAlignment == 0 && at < kHostAddressEnd && bytes <= kHostAddressEnd - at;
}

// A short row of a box is as much work as a sector.
std::uint64_t WorkOf(const Extent3& extent) {
  return std::max(extent.width, kSectorBytes) * extent.height * extent.depth;
}

}  // namespace

// Bytes that travel: a part of a box, after whose address there are `reach` bytes of that box.
struct Session::Part {
  DeviceBox box;
  Extent3 extent;
  std::uint64_t bytes = 0;
  std::uint64_t reach = 0;
};

// nullopt where that is no part, or more than a frame may bring.
std::optional<Session::Part> Session::DecodePart(Decoder& request) {
  Part part;
  part.box = Decode<DeviceBox>(request);
  part.extent = Decode<Extent3>(request);
  part.reach = request.U64();
  const auto span = SpanOf(part.box.strides, part.extent);
  if (!request.ok() || !span || *span > part.reach) return std::nullopt;
  part.bytes = part.extent.Bytes();
  return part.bytes <= kMaxCopyBytes ? std::optional(part) : std::nullopt;
}

// What `request` answers where the host may use all of the boxes. No bytes are no request: the
// device's answer would tell what lies at an address.
template <class Request>
DeviceError Session::Within(std::initializer_list<DeviceBox> boxes, const Extent3& extent,
                            Request request) {
  if (extent.Empty()) return DeviceError::kSuccess;
  const bool allowed = std::ranges::all_of(boxes, [&](const DeviceBox& box) {
    const auto span = SpanOf(box.strides, extent);
    return span && ownership_.MayUse(box.address, *span);
  });
  return allowed ? request() : DeviceError::kInvalidValue;
}

DeviceError Session::Reset() {
  ownership_.Forget();
  return device_.Reset();
}

void Session::Reply(DeviceError error) {
  reply_.Clear();
  reply_.I32(static_cast<std::int32_t>(error));
}

bool Session::Answer(Kind kind, std::span<const std::byte> payload) {
  ++requests_.number;
  requests_.bytes += payload.size();
  Decoder request(payload);
  switch (kind) {
    case Kind::kMemory:
      return Memory(request);
    case Kind::kAllocate:
      return Allocate(request);
    case Kind::kFree:
      return Free(request);
    case Kind::kWrite:
      return Write(request);
    case Kind::kRead:
      return Read(request);
    case Kind::kCopy:
      return Copy(request);
    case Kind::kFill:
      return Fill(request);
    case Kind::kLoadModule:
      return LoadModule(payload);
    case Kind::kUnloadModule:
      return UnloadModule(request);
    case Kind::kLaunch:
      return Launch(request);
    case Kind::kNoteUnsupportedCall:
      return NoteUnsupportedCall(request);
    case Kind::kNoteMisuse:
      return NoteMisuse(request);
    case Kind::kHolds:
      return Holds(request);
    case Kind::kReset:
      return Reset(request);
    case Kind::kCall:
    case Kind::kReply:
    case Kind::kGreeting:
    case Kind::kLaunched:
    case Kind::kFound:
    case Kind::kPrinted:
    case Kind::kReturned:
      break;
  }
  return false;
}

bool Session::Memory(Decoder& request) {
  if (!request.Complete()) return false;
  const MemoryInfo memory = device_.Memory();
  Reply(DeviceError::kSuccess);
  reply_.U64(memory.free_bytes);
  reply_.U64(memory.total_bytes);
  return true;
}

DeviceResult<DeviceAddress> Session::Allocated(std::uint64_t bytes, DeviceAddress at) {
  if (!ownership_.RoomForAllocation()) return tl::unexpected(DeviceError::kMemoryAllocation);
  // Memory of no bytes overlaps none, and could be had at an address of the judge, to free it.
  if (bytes == 0 || (at != 0 && !MayAllocateAt(at, bytes))) {
    return tl::unexpected(DeviceError::kInvalidValue);
  }
  auto address = device_.Allocate(bytes, at);
  if (address && *address != 0) ownership_.AddAllocation(*address, bytes);
  return address;
}

bool Session::Allocate(Decoder& request) {
  const std::uint64_t bytes = request.U64();
  const DeviceAddress at = request.U64();
  if (!request.Complete()) return false;
  const auto address = Allocated(bytes, at);
  Reply(address ? DeviceError::kSuccess : address.error());
  if (address) reply_.U64(*address);
  return true;
}

bool Session::Free(Decoder& request) {
  const DeviceAddress address = request.U64();
  if (!request.Complete()) return false;
  if (address != 0 && !ownership_.OwnsAllocation(address)) {
    Reply(DeviceError::kInvalidValue);
    return true;
  }
  const DeviceError error = device_.Free(address);
  if (error == DeviceError::kSuccess) ownership_.RemoveAllocation(address);
  Reply(error);
  return true;
}

bool Session::Write(Decoder& request) {
  const auto part = DecodePart(request);
  const auto bytes = request.Rest();
  if (!part || !request.Complete() || bytes.size() != part->bytes) return false;
  Reply(Within({part->box}, {.width = part->reach},
               [&] { return device_.WriteBox(part->box, part->extent, bytes); }));
  return true;
}

bool Session::Read(Decoder& request) {
  const auto part = DecodePart(request);
  if (!part || !request.Complete()) return false;
  requests_.bytes += part->bytes;
  Reply(DeviceError::kSuccess);
  const DeviceError error = Within({part->box}, {.width = part->reach}, [&] {
    return device_.ReadBox(part->box, part->extent, reply_.Extend(part->bytes));
  });
  if (error != DeviceError::kSuccess) Reply(error);
  return true;
}

bool Session::Copy(Decoder& request) {
  const auto to = Decode<DeviceBox>(request);
  const auto from = Decode<DeviceBox>(request);
  const auto extent = Decode<Extent3>(request);
  if (!request.Complete()) return false;
  Reply(Within({to, from}, extent, [&] {
    requests_.bytes += 2 * WorkOf(extent);
    return device_.CopyBox(to, from, extent);
  }));
  return true;
}

bool Session::Fill(Decoder& request) {
  const auto to = Decode<DeviceBox>(request);
  const auto extent = Decode<Extent3>(request);
  const auto value = static_cast<std::byte>(request.U8());
  if (!request.Complete()) return false;
  Reply(Within({to}, extent, [&] {
    requests_.bytes += WorkOf(extent);
    return device_.FillBox(to, extent, value);
  }));
  return true;
}

// Of what the host may use alone: else the answer would tell what lies beside it.
bool Session::Holds(Decoder& request) {
  const DeviceAddress address = request.U64();
  const std::uint64_t bytes = request.U64();
  if (!request.Complete()) return false;
  const bool holds =
      bytes != 0 && ownership_.MayUse(address, bytes) && device_.Holds(address, bytes);
  Reply(holds ? DeviceError::kSuccess : DeviceError::kInvalidValue);
  return true;
}

// What was noted stays: a host may not say it again and again.
bool Session::Reset(Decoder& request) {
  if (!request.Complete()) return false;
  ownership_.ForgetDevice();
  Reply(device_.Reset());
  return true;
}

DeviceResult<ModuleInfo> Session::Loaded(std::string_view ptx) {
  if (!ownership_.RoomForModule(ptx.size())) return tl::unexpected(DeviceError::kMemoryAllocation);
  auto module = device_.LoadModule(ptx);
  if (module) ownership_.AddModule(*module, ptx.size());
  return module;
}

bool Session::LoadModule(std::span<const std::byte> payload) {
  if (payload.size() > kMaxPtxBytes) return false;
  const auto module = Loaded({reinterpret_cast<const char*>(payload.data()), payload.size()});
  Reply(module ? DeviceError::kSuccess : module.error());
  if (!module) return true;
  Encode(reply_, *module);
  if (reply_.payload().size() > kMaxPayloadBytes) {
    ownership_.RemoveModule(module->id);
    (void)device_.UnloadModule(module->id);
    Reply(DeviceError::kInvalidPtx);
  }
  return true;
}

bool Session::UnloadModule(Decoder& request) {
  const ModuleId module = request.U32();
  if (!request.Complete()) return false;
  if (!ownership_.OwnsModule(module)) {
    Reply(DeviceError::kInvalidResourceHandle);
    return true;
  }
  const DeviceError error = device_.UnloadModule(module);
  if (error == DeviceError::kSuccess) ownership_.RemoveModule(module);
  Reply(error);
  return true;
}

bool Session::Launch(Decoder& request) {
  const LaunchRequest launch = DecodeLaunch(request);
  if (!request.Complete()) return false;
  Reply(ownership_.OwnsModule(launch.module) ? device_.Launch(launch)
                                             : DeviceError::kInvalidResourceHandle);
  return true;
}

bool Session::NoteUnsupportedCall(Decoder& request) {
  const std::string_view function = request.Text(kMaxUnsupportedCallBytes);
  if (!request.Complete()) return false;
  if (ownership_.NoteUnsupportedCall(function)) device_.NoteUnsupportedCall(function);
  Reply(DeviceError::kSuccess);
  return true;
}

bool Session::NoteMisuse(Decoder& request) {
  const auto kind = FindingKindNamed(request.Text(kMaxUnsupportedCallBytes));
  const std::string_view message = request.Text(kMaxMisuseBytes);
  if (!request.Complete() || !kind || !IsMisuse(*kind)) return false;
  if (ownership_.NoteMisuse(message)) device_.NoteMisuse(*kind, message);
  Reply(DeviceError::kSuccess);
  return true;
}

}  // namespace warpcheck::remote
