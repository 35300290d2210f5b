#include "provenance/watched_device.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "hardware/geometry.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMostRanges = 1'024;  // the most copies on the device that are remembered

}  // namespace

void WatchedDevice::Watch(DeviceAddress address, std::uint64_t bytes, bool is_input) {
  std::erase_if(arrays_, [&](const Array& array) { return array.address == address; });
  arrays_.push_back({address, bytes, is_input});
  copied_.Allocated(address);
  // From now on, the judge fills the array, and earlier writes of the host to this memory do not
  // count.
  copied_.Filled({.address = address}, {.width = bytes});
  requests_.AddPiece(address, bytes);
}

void WatchedDevice::NoteWrite(std::string_view call, const DeviceBox& to, const Extent3& extent) {
  constexpr std::size_t kMost = 64;
  const Array* array = ArrayAt(to.address);
  if (array == nullptr) return;
  const std::uint64_t begin = to.address - array->address;
  const std::uint64_t end = begin + SpanOf(to.strides, extent).value_or(0);
  if (host_writes_.size() < kMost) {
    host_writes_.push_back({array->address, {call, begin, end}});
    return;
  }
  // A full list forgets no byte: a write of this array stands for the further ones, too.
  const auto same =
      std::ranges::find(host_writes_, array->address, &std::pair<DeviceAddress, ArrayWrite>::first);
  if (same == host_writes_.end()) {
    host_writes_.push_back({array->address, {call, begin, end}});  // one for each array
  } else {
    same->second.begin = std::min(same->second.begin, begin);
    same->second.end = std::max(same->second.end, end);
  }
}

std::uint64_t WatchedDevice::SectorsOf(const DeviceBox& box, const Extent3& extent) const {
  if (seen_calls_.IsShared(box.address)) return 0;
  std::uint64_t sectors = 0;
  const Extent3 rows = Joined(extent, box.strides);
  ForEachRow(rows, [&](std::uint64_t y, std::uint64_t z) {
    const DeviceAddress begin = box.address + box.strides.Offset(y, z);
    sectors += (begin + rows.width - 1) / kSectorBytes - begin / kSectorBytes + 1;
  });
  return sectors;
}

std::vector<ArrayWrite> WatchedDevice::WritesTo(DeviceAddress array) const {
  std::vector<ArrayWrite> writes;
  for (const auto& [address, write] : host_writes_) {
    if (address == array) writes.push_back(write);
  }
  return writes;
}

void WatchedDevice::ForgetTraffic() {
  traffic_ = {};
  places_.Forget();
  copied_to_.clear();
  host_writes_.clear();
  requests_.Forget();
  returned_.Forget();
  shared_inputs_.clear();
  has_results_ = false;
  copied_.ForgetSeen();
}

// The range of a request lies within one allocation, so its first address determines the array.
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

std::vector<std::uint64_t> WatchedDevice::Numbers(const DeviceBox& box,
                                                  const Extent3& extent) const {
  return {requests_.Place(box.address),
          box.strides.pitch,
          box.strides.slice,
          extent.width,
          extent.height,
          extent.depth};
}

bool WatchedDevice::Holds(DeviceAddress address, std::uint64_t bytes) {
  // The result tells the host whether a kernel has allocated memory there.
  if (has_results_ && !requests_.Knows(address)) ReadElsewhere(1);
  return device_.Holds(address, bytes);
}

MemoryInfo WatchedDevice::Memory() {
  const MemoryInfo memory = device_.Memory();
  // Kernels may allocate memory, so the amount of free memory can tell the host something.
  if (has_results_) ReadElsewhere(sizeof memory.free_bytes);
  return memory;
}

DeviceResult<DeviceAddress> WatchedDevice::Allocate(std::uint64_t bytes, DeviceAddress at) {
  const auto address = device_.Allocate(bytes, at);
  seen_calls_.Allocated(at, bytes, address ? DeviceError::kSuccess : address.error());
  if (!address) {
    // The failure tells the host how much memory is free, as Memory() does.
    if (has_results_) ReadElsewhere(sizeof bytes);
    return address;
  }
  if (at == 0) requests_.AddPiece(*address, bytes);
  copied_.Allocated(*address);
  Asked(false, [&] { return HostRequest{.kind = RequestKind::kAllocate, .numbers = {bytes, at}}; });
  return address;
}

DeviceError WatchedDevice::Free(DeviceAddress address) {
  if (ArrayAt(address) != nullptr) return DeviceError::kInvalidValue;
  const DeviceError error = device_.Free(address);
  if (error != DeviceError::kSuccess) return error;
  Asked(false, [&] {
    return HostRequest{.kind = RequestKind::kFree, .numbers = {requests_.Place(address)}};
  });
  requests_.RemovePiece(address);
  return error;
}

DeviceError WatchedDevice::Reset() {
  const DeviceError error = device_.Reset();
  if (error != DeviceError::kSuccess) return error;
  copied_.Reset();
  Asked(false, [&] { return HostRequest{.kind = RequestKind::kReset}; });
  if (!arrays_.empty() && !std::exchange(traffic_.reset, true)) {
    device_.NoteMisuse(
        {.kind = FindingKind::kInvalidFree,
         .message = "cudaDeviceReset() frees all device memory. This includes the arrays that the "
                    "function was given, which belong to its caller"});
  }
  return error;
}

DeviceError WatchedDevice::WriteBox(const DeviceBox& to, const Extent3& extent,
                                    std::span<const std::byte> bytes) {
  const DeviceError error = device_.WriteBox(to, extent, bytes);
  if (error != DeviceError::kSuccess || extent.Empty()) return error;
  seen_calls_.Written(to.address, bytes.size());
  // Bytes in memory that the host shares are sent when a kernel or a copy reads them.
  if (!seen_calls_.IsShared(to.address)) sent_.Sent(bytes);
  moved_ += bytes.size();
  NoteMove(ByteMoves::kHost, to.address);
  NoteWrite("cudaMemcpy", to, extent);
  const auto returned = returned_.Find(bytes);
  if (returned) {
    traffic_.copies_read_sectors += SectorsOf(to, extent);
    traffic_.copies_written_sectors += SectorsOf(to, extent);
  }
  const bool of_call = ArrayAt(to.address) != nullptr;
  NewBytes changed;
  if (!of_call) changed = known_.Insert(to.address, bytes);
  Asked(IsOutput(to.address), [&] {
    return HostRequest{.kind = RequestKind::kWrite,
                       .numbers = Numbers(to, extent),
                       .bytes = {bytes.begin(), bytes.end()},
                       .changed = std::move(changed),
                       .returned = returned};
  });
  if (IsOutput(to.address)) copied_.Written(to, extent);
  return error;
}

DeviceError WatchedDevice::ReadBox(const DeviceBox& from, const Extent3& extent,
                                   std::span<std::byte> bytes) {
  const DeviceError error = device_.ReadBox(from, extent, bytes);
  if (error != DeviceError::kSuccess) return error;
  seen_calls_.Read(from.address, bytes.size());
  traffic_.moves.Add(requests_.BeginOf(from.address), ByteMoves::kHost);
  moved_ += bytes.size();
  const Array* const array = ArrayAt(from.address);
  if (array != nullptr ? array->is_input : shared_inputs_.contains(from.address)) {
    returned_.Read(bytes);
  }
  if (array != nullptr) {
    traffic_.read_back += bytes.size();
    CountPlaces(from, extent, {});
    return error;
  }
  const NewBytes is_new = known_.Insert(from.address, bytes);
  if (!has_results_) return error;
  traffic_.read_back += static_cast<std::uint64_t>(std::ranges::count(is_new, 1));
  CountPlaces(from, extent, is_new);
  return error;
}

void WatchedDevice::NoteCopyTo(DeviceAddress begin, DeviceAddress end) {
  const std::pair range{begin, end};
  if (copied_to_.size() == kMostRanges || std::ranges::count(copied_to_, range) != 0) return;
  copied_to_.push_back(range);
}

bool WatchedDevice::WasCopied(DeviceAddress begin, DeviceAddress end) const {
  return copied_to_.size() == kMostRanges ||
         std::ranges::any_of(copied_to_, [&](const auto& range) {
           return range.first < end && begin < range.second;
         });
}

void WatchedDevice::CountPlaces(const DeviceBox& from, const Extent3& extent,
                                const NewBytes& is_new) {
  std::size_t at = 0;  // in the bytes of the box, whose rows have no gaps there
  ForEachRow(extent, [&](std::uint64_t y, std::uint64_t z) {
    const DeviceAddress row = from.address + from.strides.Offset(y, z);
    const bool copied = WasCopied(row, row + extent.width);
    for (std::uint64_t x = 0; x < extent.width;) {
      const std::uint64_t begin = x;
      while (x < extent.width && (is_new.empty() || is_new[at + x])) ++x;
      const NewBytes places = places_.Insert(row + begin, std::vector<std::byte>(x - begin));
      traffic_.read_places +=
          copied ? x - begin : static_cast<std::uint64_t>(std::ranges::count(places, 1));
      while (x < extent.width && !is_new.empty() && !is_new[at + x]) ++x;
    }
    at += extent.width;
  });
}

void WatchedDevice::ReadElsewhere(std::uint64_t bytes) {
  traffic_.read_back += bytes;
  traffic_.read_places += bytes;
}

DeviceError WatchedDevice::CopyBox(const DeviceBox& to, const DeviceBox& from,
                                   const Extent3& extent) {
  const Array* source = ArrayAt(from.address);
  const bool from_input = source != nullptr && source->is_input;
  const DeviceError error = device_.CopyBox(to, from, extent);
  if (error != DeviceError::kSuccess || extent.Empty()) return error;
  seen_calls_.Copied(to.address, from.address, extent.Bytes());
  traffic_.copies_read_sectors += SectorsOf(from, extent);
  traffic_.copies_written_sectors += SectorsOf(to, extent);
  if (seen_calls_.IsShared(from.address) && !seen_calls_.IsShared(to.address)) {
    NoteSent(from, extent);
  }
  moved_ += extent.Bytes();
  NoteMove(requests_.BeginOf(from.address), to.address);
  copied_.Copied(to, from, extent, from_input);
  if (seen_calls_.IsShared(to.address)) {
    CountPlaces(from, extent, {});  // the host reads the copy
    if (from_input) shared_inputs_.insert(to.address);
  } else {
    NoteCopyTo(to.address, to.address + SpanOf(to.strides, extent).value_or(extent.Bytes()));
  }
  NoteWrite("cudaMemcpy", to, extent);
  if (IsConstant(to.address)) traffic_.copied_to_constants += extent.Bytes();
  Asked(IsOutput(to.address), [&] {
    std::vector<std::uint64_t> numbers = Numbers(to, extent);
    std::ranges::copy(Numbers(from, extent), std::back_inserter(numbers));
    return HostRequest{.kind = RequestKind::kCopy, .numbers = std::move(numbers)};
  });
  if (source != nullptr) has_results_ = true;
  return error;
}

DeviceError WatchedDevice::FillBox(const DeviceBox& to, const Extent3& extent, std::byte value) {
  const DeviceError error = device_.FillBox(to, extent, value);
  if (error != DeviceError::kSuccess || extent.Empty()) return error;
  copied_.Filled(to, extent);
  NoteMove(ByteMoves::kFill, to.address);
  moved_ += extent.Bytes();
  NoteWrite("cudaMemset", to, extent);
  Asked(IsOutput(to.address), [&] {
    std::vector<std::uint64_t> numbers = Numbers(to, extent);
    numbers.push_back(static_cast<std::uint64_t>(value));
    return HostRequest{.kind = RequestKind::kFill, .numbers = std::move(numbers)};
  });
  return error;
}

void WatchedDevice::NoteHostCalls(const HostCalls& calls) {
  host_calls_ = std::make_shared<const HostCalls>(calls);
}

WatchedDevice::RecordedCalls WatchedDevice::TakeHostCalls() {
  RecordedCalls recorded{.calls = std::exchange(host_calls_, nullptr), .doubt = {}};
  if (recorded.calls) recorded.doubt = seen_calls_.DifferenceTo(*recorded.calls);
  seen_calls_.Forget();
  return recorded;
}

void WatchedDevice::NoteSent(const DeviceBox& from, const Extent3& extent) {
  if (!sent_.watches()) return;
  std::vector<std::byte> bytes(extent.Bytes());
  if (device_.ReadBox(from, extent, bytes) == DeviceError::kSuccess) sent_.Sent(bytes);
}

LaunchUses WatchedDevice::TakeUses() {
  LaunchUses uses = device_.TakeUses();
  for (const MemoryUse& use : uses.uses) {
    if (use.kind != MemoryUse::Kind::kRead || !seen_calls_.IsShared(use.begin)) continue;
    NoteSent({.address = use.begin}, {.width = use.end - use.begin});
  }
  return uses;
}

HostTraffic WatchedDevice::Traffic() {
  HostTraffic traffic = traffic_;
  const bool knows_sent = sent_.watches() && seen_calls_.KnowsCopiesOfHost();
  traffic.host_arrays = knows_sent ? sent_.of_arrays() : 0;
  traffic.foreign = sent_.foreign();
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

void WatchedDevice::NoteMove(DeviceAddress from, DeviceAddress to) {
  traffic_.moves.Add(from, requests_.BeginOf(to));
  if (IsConstant(to)) traffic_.moves.Add(from, ByteMoves::kConstants);
}

bool WatchedDevice::IsConstant(DeviceAddress address) const {
  return std::ranges::any_of(constants_, [&](const VariableInfo& constant) {
    return address >= constant.address && address - constant.address < constant.bytes;
  });
}

// A descriptor can carry data to a kernel, for example in the colour of the border.
DeviceResult<TextureHandle> WatchedDevice::CreateTexture(const TextureDescriptor& texture) {
  const auto handle = device_.CreateTexture(texture);
  if (!handle) {
    if (has_results_)
      ReadElsewhere(sizeof texture);  // a failure tells the host something, as in Allocate
    return handle;
  }
  requests_.AddPiece(*handle, 0);
  Asked(false, [&] {
    TextureDescriptor sent = texture;
    sent.texels = requests_.Place(texture.texels);
    const auto bytes = std::as_bytes(std::span(&sent, 1));
    return HostRequest{.kind = RequestKind::kCreateTexture, .bytes = {bytes.begin(), bytes.end()}};
  });
  return handle;
}

DeviceError WatchedDevice::DestroyTexture(const TextureKey& texture) {
  const DeviceError error = device_.DestroyTexture(texture);
  if (error != DeviceError::kSuccess) return error;
  Asked(false, [&] {
    return HostRequest{.kind = RequestKind::kDestroyTexture,
                       .numbers = {requests_.Place(texture.handle)}};
  });
  requests_.RemovePiece(texture.handle);
  return error;
}

DeviceResult<ModuleInfo> WatchedDevice::LoadModule(std::string_view ptx) {
  auto module = device_.LoadModule(ptx);
  if (!module) return module;
  requests_.AddModule(module->id);
  if (ptx.find(".attribute(.managed") != std::string_view::npos) seen_calls_.HasManagedVariables();
  for (const VariableInfo& variable : module->variables) {
    if (variable.constant) constants_.push_back(variable);
    requests_.AddPiece(variable.address, variable.bytes);
  }
  Asked(false, [&] {  // text that is made now could contain any data
    const auto text = std::as_bytes(std::span(ptx));
    return HostRequest{.kind = RequestKind::kLoadModule, .bytes = {text.begin(), text.end()}};
  });
  return module;
}

DeviceError WatchedDevice::UnloadModule(ModuleId module) {
  const DeviceError error = device_.UnloadModule(module);
  if (error == DeviceError::kSuccess) {
    Asked(false, [&] {
      return HostRequest{.kind = RequestKind::kUnloadModule, .numbers = {requests_.Number(module)}};
    });
  }
  return error;
}

DeviceError WatchedDevice::Launch(const LaunchRequest& request) {
  shared_inputs_.clear();  // the kernel may write there
  copied_.Launched();
  traffic_.moves.AddLaunch();
  traffic_.read_before_launch = traffic_.read_back;
  const DeviceError error = device_.Launch(request);
  if (error != DeviceError::kSuccess) return error;
  seen_calls_.Launched();
  sent_.Passed(request.parameters.size());
  Asked(true, [&] {
    return HostRequest{
        .kind = RequestKind::kLaunch,
        .kernel = request.kernel,
        .numbers = {requests_.Number(request.module), request.grid.x, request.grid.y,
                    request.grid.z, request.block.x, request.block.y, request.block.z,
                    request.dynamic_shared_bytes, request.cooperative ? 1U : 0U},
        .words = requests_.Words(request.parameters)};
  });
  has_results_ = true;
  return error;
}

}  // namespace warpcheck
