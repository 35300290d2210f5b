// The basic idea: nothing that a host sends is believed. Each request is answered in three steps:
//
//     decode     a value out of its range, or a byte too many: this is no request (nullopt)
//     may it?    Ownership knows the memory, textures and modules that this host has got, and what
//                the arguments of the current call grant; anything else is an error, as in CUDA
//     do it      by a call of the Device
//
// An error must not tell what lies beside the host's memory. So a request that is not allowed never
// reaches the device, and one without bytes does not either. Requests counts what the host makes
// the judge do.
#include "remote/session.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/check.h"
#include "base/text.h"
#include "device/counters.h"
#include "order/host_call.h"
#include "remote/protocol.h"

namespace warpcheck::remote {
namespace {

// All host addresses on Linux for x86-64 are below this.
constexpr DeviceAddress kHostAddressEnd = DeviceAddress{1} << 47;

bool MayAllocateAt(DeviceAddress at, std::uint64_t bytes) {
  return at < kHostAddressEnd && bytes <= kHostAddressEnd - at;
}

// A short row of a box counts as this many moved bytes: the judge keeps a record of where each
// piece of a copy came from.
constexpr std::uint64_t kFilledRow = 256;
constexpr std::uint64_t kCopiedRow = 2'048;

// A line of a source file has no higher number.
constexpr std::uint32_t kMaxLine = 1'000'000'000;
// In the time of reading one byte of PTX, so many bytes can be moved.
constexpr std::uint64_t kReadingCost = 32;

std::uint64_t WorkOf(const Extent3& extent, std::uint64_t shortest_row) {
  return std::max(extent.width, shortest_row) * extent.height * extent.depth;
}

bool IsFunctionName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxUnsupportedCallBytes &&
         std::ranges::all_of(name, IsOfIdentifier);
}

}  // namespace

void Ownership::Grant(const Call& call) {
  granted_ends_.clear();
  for (const Argument& argument : call.arguments) {
    const auto* pointer = std::get_if<DevicePointer>(&argument);
    if (pointer == nullptr || pointer->bytes == 0) continue;
    WARPCHECK_CHECK(pointer->bytes <= std::numeric_limits<DeviceAddress>::max() - pointer->address,
                    "a device pointer of a call reaches beyond the address space");
    DeviceAddress& end = granted_ends_[pointer->address];
    end = std::max(end, pointer->address + pointer->bytes);
  }
  DeviceAddress furthest = 0;
  for (auto& [address, end] : granted_ends_) end = furthest = std::max(furthest, end);
}

bool Ownership::Within(const Ranges& ranges, DeviceAddress address, std::uint64_t bytes) {
  const auto next = ranges.upper_bound(address);
  if (next == ranges.begin()) return false;
  const auto& [first, size] = *std::prev(next);
  return bytes <= size && address - first <= size - bytes;
}

bool Ownership::Granted(DeviceAddress address, std::uint64_t bytes) const {
  const auto next = granted_ends_.upper_bound(address);
  if (next == granted_ends_.begin()) return false;
  const DeviceAddress end = std::prev(next)->second;
  return address <= end && bytes <= end - address;
}

bool Ownership::MayUse(DeviceAddress address, std::uint64_t bytes) const {
  return bytes == 0 || Within(allocated_, address, bytes) || Within(variables_, address, bytes) ||
         Granted(address, bytes);
}

bool Ownership::RoomForModule(std::size_t ptx_bytes) const {
  return modules_.size() < kMaxModules && ptx_bytes <= kMaxPtxBytes - ptx_bytes_;
}

void Ownership::AddModule(const ModuleInfo& module, std::size_t ptx_bytes) {
  Module& added = modules_[module.id];
  added.ptx_bytes = ptx_bytes;
  ptx_bytes_ += ptx_bytes;
  for (const VariableInfo& variable : module.variables) {
    // An empty variable may have the address of another one.
    if (variable.bytes == 0 || !variables_.emplace(variable.address, variable.bytes).second)
      continue;
    added.variables.push_back(variable.address);
  }
}

void Ownership::RemoveModule(ModuleId module) {
  const auto found = modules_.find(module);
  if (found == modules_.end()) return;
  ptx_bytes_ -= found->second.ptx_bytes;
  for (const DeviceAddress variable : found->second.variables) variables_.erase(variable);
  modules_.erase(found);
}

bool Ownership::NoteUnsupportedCall(std::string_view function) {
  if (!IsFunctionName(function) || unsupported_.size() >= kMaxUnsupportedCalls) return false;
  return unsupported_.emplace(function).second;
}

DeviceError Ownership::Release(Device& device) {
  DeviceError first = DeviceError::kSuccess;
  const auto note = [&first](DeviceError error) {
    if (first == DeviceError::kSuccess) first = error;
  };
  for (const TextureKey& texture : textures_) note(device.DestroyTexture(texture));
  for (const auto& [address, bytes] : allocated_) note(device.Free(address));
  for (const auto& [id, module] : modules_) note(device.UnloadModule(id));
  Forget();
  return first;
}

void Ownership::ForgetDevice() {
  allocated_.clear();
  textures_.clear();
  variables_.clear();
  modules_.clear();
  granted_ends_.clear();
  ptx_bytes_ = 0;
}

void Ownership::Forget() {
  ForgetDevice();
  unsupported_.clear();
  misuses_.Clear();
}

// A part of a box that is sent or received. From the part's address on, the box has `reach` bytes.
struct Session::Part {
  DeviceBox box;
  Extent3 extent;
  std::uint64_t bytes = 0;
  std::uint64_t reach = 0;
};

// Returns nothing if the part is invalid, or larger than a frame may carry.
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

// Makes `request` if the host may use all of the boxes. Does not make a request without bytes,
// because the device's answer would tell what lies at an address.
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
  struct Row {
    Kind kind;
    std::optional<DeviceError> (Session::*answer)(Decoder& request);
  };
  static constexpr Row kRows[] = {
      {Kind::kMemory, &Session::Memory},
      {Kind::kAllocate, &Session::Allocate},
      {Kind::kFree, &Session::Free},
      {Kind::kWrite, &Session::Write},
      {Kind::kRead, &Session::Read},
      {Kind::kCopy, &Session::Copy},
      {Kind::kFill, &Session::Fill},
      {Kind::kLoadModule, &Session::LoadModule},
      {Kind::kUnloadModule, &Session::UnloadModule},
      {Kind::kLaunch, &Session::Launch},
      {Kind::kNoteUnsupportedCall, &Session::NoteUnsupportedCall},
      {Kind::kNoteMisuse, &Session::NoteMisuse},
      {Kind::kNoteHostCalls, &Session::NoteHostCalls},
      {Kind::kWatchUses, &Session::WatchUses},
      {Kind::kTakeUses, &Session::TakeUses},
      {Kind::kHolds, &Session::Holds},
      {Kind::kReset, &Session::Reset},
      {Kind::kCreateTexture, &Session::CreateTexture},
      {Kind::kDestroyTexture, &Session::DestroyTexture},
      {Kind::kAllocateHost, &Session::AllocateHost},
      {Kind::kRunSteps, &Session::RunSteps},
  };
  ++requests_.number;
  requests_.bytes += payload.size();
  const auto* const row = std::ranges::find(kRows, kind, &Row::kind);
  if (row == std::end(kRows)) return false;
  Decoder request(payload);
  Reply(DeviceError::kSuccess);
  const auto error = (this->*row->answer)(request);
  if (error && *error != DeviceError::kSuccess) Reply(*error);
  return error.has_value();
}

std::optional<DeviceError> Session::Memory(Decoder& request) {
  if (!request.Complete()) return std::nullopt;
  const MemoryInfo memory = device_.Memory();
  reply_.U64(memory.free_bytes);
  reply_.U64(memory.total_bytes);
  return DeviceError::kSuccess;
}

std::optional<DeviceError> Session::Allocate(Decoder& request) {
  const std::uint64_t bytes = request.U64();
  const DeviceAddress at = request.U64();
  if (!request.Complete()) return std::nullopt;
  if (!ownership_.RoomForAllocation()) return DeviceError::kMemoryAllocation;
  // An allocation without bytes overlaps nothing. It could get the address of memory of the judge,
  // and then be freed.
  if (bytes == 0 || (at != 0 && !MayAllocateAt(at, bytes))) return DeviceError::kInvalidValue;
  const auto address = device_.Allocate(bytes, at);
  if (!address) return address.error();
  requests_.bytes += bytes;
  if (*address != 0) ownership_.AddAllocation(*address, bytes);
  reply_.U64(*address);
  return DeviceError::kSuccess;
}

std::optional<DeviceError> Session::Free(Decoder& request) {
  const DeviceAddress address = request.U64();
  if (!request.Complete()) return std::nullopt;
  if (address != 0 && !ownership_.OwnsAllocation(address)) return DeviceError::kInvalidValue;
  WARPCHECK_TRY_CODE(device_.Free(address));
  ownership_.RemoveAllocation(address);
  return DeviceError::kSuccess;
}

std::optional<DeviceError> Session::Write(Decoder& request) {
  const auto part = DecodePart(request);
  const auto bytes = request.Rest();
  if (!part || !request.Complete() || bytes.size() != part->bytes) return std::nullopt;
  return Within({part->box}, {.width = part->reach},
                [&] { return device_.WriteBox(part->box, part->extent, bytes); });
}

std::optional<DeviceError> Session::Read(Decoder& request) {
  const auto part = DecodePart(request);
  if (!part || !request.Complete()) return std::nullopt;
  requests_.bytes += part->bytes;
  return Within({part->box}, {.width = part->reach}, [&] {
    return device_.ReadBox(part->box, part->extent, reply_.Extend(part->bytes));
  });
}

std::optional<DeviceError> Session::Copy(Decoder& request) {
  const auto to = Decode<DeviceBox>(request);
  const auto from = Decode<DeviceBox>(request);
  const auto extent = Decode<Extent3>(request);
  if (!request.Complete()) return std::nullopt;
  return Within({to, from}, extent, [&] {
    requests_.bytes += WorkOf(extent, kCopiedRow);
    return device_.CopyBox(to, from, extent);
  });
}

std::optional<DeviceError> Session::Fill(Decoder& request) {
  const auto to = Decode<DeviceBox>(request);
  const auto extent = Decode<Extent3>(request);
  const auto value = static_cast<std::byte>(request.U8());
  if (!request.Complete()) return std::nullopt;
  return Within({to}, extent, [&] {
    requests_.bytes += WorkOf(extent, kFilledRow);
    return device_.FillBox(to, extent, value);
  });
}

// Answers only for memory that the host may use, because the answer would tell what lies beside it.
std::optional<DeviceError> Session::Holds(Decoder& request) {
  const DeviceAddress address = request.U64();
  const std::uint64_t bytes = request.U64();
  if (!request.Complete()) return std::nullopt;
  const bool holds =
      bytes != 0 && ownership_.MayUse(address, bytes) && device_.Holds(address, bytes);
  return holds ? DeviceError::kSuccess : DeviceError::kInvalidValue;
}

// Keeps what was noted, so that a host cannot have it reported again and again.
std::optional<DeviceError> Session::Reset(Decoder& request) {
  if (!request.Complete()) return std::nullopt;
  ownership_.ForgetDevice();
  return device_.Reset();
}

std::optional<DeviceError> Session::CreateTexture(Decoder& request) {
  const TextureDescriptor texture = DecodeTexture(request);
  if (!request.Complete()) return std::nullopt;
  if (!ownership_.RoomForTexture()) return DeviceError::kMemoryAllocation;
  if (!IsSound(texture) || !ownership_.MayUse(texture.texels, TexelSpan(texture))) {
    return DeviceError::kInvalidValue;
  }
  const auto handle = device_.CreateTexture(texture);
  if (!handle) return handle.error();
  ownership_.AddTexture({.handle = *handle, .is_surface = texture.is_surface != 0});
  reply_.U64(*handle);
  return DeviceError::kSuccess;
}

std::optional<DeviceError> Session::DestroyTexture(Decoder& request) {
  // The fields of a braced list are read in their order.
  const TextureKey texture = {.handle = request.U64(), .is_surface = request.Bool()};
  if (!request.Complete()) return std::nullopt;
  if (!ownership_.OwnsTexture(texture)) return DeviceError::kInvalidValue;
  WARPCHECK_TRY_CODE(device_.DestroyTexture(texture));
  ownership_.RemoveTexture(texture);
  return DeviceError::kSuccess;
}

std::optional<DeviceError> Session::LoadModule(Decoder& request) {
  const auto ptx = request.Rest();
  if (ptx.size() > kMaxPtxBytes) return std::nullopt;
  requests_.bytes += kReadingCost * ptx.size();
  if (!ownership_.RoomForModule(ptx.size())) return DeviceError::kMemoryAllocation;
  const auto module = device_.LoadModule({reinterpret_cast<const char*>(ptx.data()), ptx.size()});
  if (!module) return module.error();
  ownership_.AddModule(*module, ptx.size());
  Encode(reply_, *module);
  if (reply_.payload().size() <= kMaxPayloadBytes) return DeviceError::kSuccess;
  ownership_.RemoveModule(module->id);
  (void)device_.UnloadModule(module->id);
  return DeviceError::kInvalidPtx;
}

std::optional<DeviceError> Session::UnloadModule(Decoder& request) {
  const ModuleId module = request.U32();
  if (!request.Complete()) return std::nullopt;
  if (!ownership_.OwnsModule(module)) return DeviceError::kInvalidResourceHandle;
  WARPCHECK_TRY_CODE(device_.UnloadModule(module));
  ownership_.RemoveModule(module);
  return DeviceError::kSuccess;
}

std::optional<DeviceError> Session::Launch(Decoder& request) {
  const LaunchRequest launch = DecodeLaunch(request);
  if (!request.Complete()) return std::nullopt;
  if (!ownership_.OwnsModule(launch.module)) return DeviceError::kInvalidResourceHandle;
  return device_.Launch(launch);
}

std::optional<DeviceError> Session::NoteUnsupportedCall(Decoder& request) {
  const std::string_view function = request.Text(kMaxUnsupportedCallBytes);
  if (!request.Complete()) return std::nullopt;
  if (ownership_.NoteUnsupportedCall(function)) device_.NoteUnsupportedCall(function);
  return DeviceError::kSuccess;
}

std::optional<DeviceError> Session::NoteMisuse(Decoder& request) {
  const auto kind = ValueNamed<FindingKind>(request.Text(kMaxUnsupportedCallBytes));
  Finding finding;
  finding.message = request.Text(kMaxMisuseBytes);
  finding.hint = request.Text(kMaxMisuseBytes);
  for (SourceLocation* place : {&finding.where, &finding.other}) {
    place->file = request.Text(kMaxMisuseBytes);
    place->line = static_cast<int>(std::min<std::uint32_t>(request.U32(), kMaxLine));
  }
  if (!request.Complete() || !kind || !IsMisuse(*kind)) return std::nullopt;
  finding.kind = *kind;
  if (ownership_.Admits(finding)) device_.NoteMisuse(finding);
  return DeviceError::kSuccess;
}

std::optional<DeviceError> Session::NoteHostCalls(Decoder& request) {
  const auto record = request.Rest();
  if (record.size() > kMaxHostCallsBytes) return std::nullopt;
  Decoder decoder(record);
  const auto calls = Decode<HostCalls>(decoder);
  if (!decoder.Complete() || !calls.IsSound()) return std::nullopt;
  device_.NoteHostCalls(calls);
  return DeviceError::kSuccess;
}

std::optional<DeviceError> Session::WatchUses(Decoder& request) {
  if (!request.Complete()) return std::nullopt;
  device_.WatchUses();
  return DeviceError::kSuccess;
}

std::optional<DeviceError> Session::TakeUses(Decoder& request) {
  if (!request.Complete()) return std::nullopt;
  Encode(reply_, device_.TakeUses());
  return DeviceError::kSuccess;
}

// A device that is no StepRunner has one memory for everything.
std::optional<DeviceError> Session::AllocateHost(Decoder& request) {
  if (peer_ != Peer::kTrusted) return std::nullopt;
  const std::uint64_t bytes = request.U64();
  const std::uint8_t memory = request.U8();
  if (!request.Complete()) return std::nullopt;
  if (memory > static_cast<std::uint8_t>(HostMemory::kManaged)) return std::nullopt;
  if (!ownership_.RoomForAllocation()) return DeviceError::kMemoryAllocation;
  if (bytes == 0) return DeviceError::kInvalidValue;
  auto* const runner = dynamic_cast<StepRunner*>(&device_);
  const auto address = runner == nullptr
                           ? device_.Allocate(bytes)
                           : runner->AllocateHost(bytes, static_cast<HostMemory>(memory));
  if (!address) return address.error();
  ownership_.AddAllocation(*address, bytes);
  reply_.U64(*address);
  return DeviceError::kSuccess;
}

bool Session::MayRun(const DeviceStep& step) const {
  if (step.stream >= kMaxStreams) return false;
  if (!step.is_copy) return ownership_.OwnsModule(step.launch.module);
  return ownership_.MayUse(step.to, step.bytes) && ownership_.MayUse(step.from, step.bytes);
}

std::optional<DeviceError> Session::RunSteps(Decoder& request) {
  if (peer_ != Peer::kTrusted) return std::nullopt;
  const auto steps = Decode<std::vector<DeviceStep>>(request);
  if (!request.Complete()) return std::nullopt;
  for (const DeviceStep& step : steps) {
    if (!MayRun(step)) return DeviceError::kInvalidValue;
  }
  std::vector<StepTime> times;
  if (auto* const runner = dynamic_cast<StepRunner*>(&device_)) {
    auto run = runner->RunSteps(steps);
    if (!run) return run.error();
    times = *std::move(run);
  } else {
    WARPCHECK_TRY_CODE(RunInOrder(device_, steps));
  }
  Encode(reply_, times);
  return DeviceError::kSuccess;
}

}  // namespace warpcheck::remote
