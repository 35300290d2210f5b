#include "cudart/tables/memory_table.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

#include "base/record.h"
#include "base/round_up.h"
#include "cudart/tables/to_cuda.h"

namespace warpcheck::cudart {
namespace {

void* Pointer(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

constexpr int kMirrorTries = 4;

// Returns true if the device refused the address, and not memory in general.
bool ChoosesByItself(DeviceError error) {
  return error == DeviceError::kInvalidValue || error == DeviceError::kNotSupported;
}

using ByteView = std::span<const std::byte>;

// Returns the range from the first to the last byte in which `now` differs from `before`, which has
// the same length.
struct Change {
  std::size_t begin = 0;
  std::size_t end = 0;
};
Change ChangeOf(ByteView before, ByteView now) {
  constexpr std::size_t kStep = 4096;  // bytes that memcmp() compares at once
  const auto differ = [&](std::size_t begin, std::size_t end) {
    return std::memcmp(before.data() + begin, now.data() + begin, end - begin) != 0;
  };
  std::size_t begin = 0;
  std::size_t end = now.size();
  while (begin < end && !differ(begin, std::min(begin + kStep, end))) {
    begin = std::min(begin + kStep, end);
  }
  while (begin < end && before[begin] == now[begin]) ++begin;
  while (end - begin > kStep && !differ(end - kStep, end)) end -= kStep;
  while (end > begin && before[end - 1] == now[end - 1]) --end;
  return {.begin = begin, .end = end};
}

DeviceError WriteChange(Device& device, DeviceAddress to, ByteView before, ByteView now) {
  const Change change = ChangeOf(before, now);
  return device.Write(to + change.begin, now.subspan(change.begin, change.end - change.begin));
}

// Copies the bytes [begin, end) of host memory where they differ from what the device has. Returns
// true if some did. Other threads may be writing there, so that what was compared may not be what
// is copied; what is copied is what will be sent.
bool TakeOver(const std::byte* host, std::span<std::byte> synced, std::uint64_t begin,
              std::uint64_t end) {
  constexpr std::uint64_t kStep = 16'384;
  bool changed = false;
  for (std::uint64_t at = begin; at < end; at += kStep) {
    const std::uint64_t count = std::min(kStep, end - at);
    if (std::memcmp(host + at, synced.data() + at, count) == 0) continue;
    std::memcpy(synced.data() + at, host + at, count);
    changed = true;
  }
  return changed;
}

// Copies to `to` only the bytes that a kernel changed from `before` to `now`.
void TakeChanges(ByteView before, ByteView now, std::byte* to) {
  const Change change = ChangeOf(before, now);
  for (std::size_t i = change.begin; i < change.end; ++i) {
    if (now[i] != before[i]) to[i] = now[i];
  }
}

// Merges the two copies on the device, which kernels may have changed. If only one was changed, the
// device copies it, so that the host has written nothing.
DeviceError Merge(Device& device, const Allocation& allocation, std::vector<std::byte>& bytes) {
  std::vector<std::byte> alias(bytes.size());
  WARPCHECK_TRY_CODE(device.Read(allocation.alias, alias));
  const ByteView synced = allocation.synced.bytes();
  if (std::memcmp(alias.data(), synced.data(), synced.size()) == 0) {
    return device.Copy(allocation.alias, allocation.device, bytes.size());
  }
  if (std::memcmp(bytes.data(), synced.data(), synced.size()) == 0) {
    bytes = std::move(alias);
    return device.Copy(allocation.device, allocation.alias, bytes.size());
  }
  const std::vector<std::byte> first = bytes;
  TakeChanges(synced, alias, bytes.data());
  WARPCHECK_TRY_CODE(WriteChange(device, allocation.device, first, bytes));
  return WriteChange(device, allocation.alias, alias, bytes);
}

}  // namespace

cudaError_t MemoryTable::AllocateDevice(Device& device, std::uint64_t bytes, void** pointer) {
  const auto address = device.Allocate(bytes);
  if (!address) return ToCuda(address.error());
  allocations_[*address] = {
      .kind = MemoryKind::kDevice, .start = *address, .bytes = bytes, .device = *address};
  *pointer = Pointer(*address);
  return cudaSuccess;
}

cudaError_t MemoryTable::AllocateHost(Device& device, MemoryKind kind, std::uint64_t bytes,
                                      unsigned flags, void** pointer) {
  auto mirror = MapMirror(device, bytes);
  if (!mirror && ChoosesByItself(mirror.error())) mirror = MirrorOf(device, bytes);
  if (!mirror && ChoosesByItself(mirror.error()) && IsPinned(kind)) {
    std::byte* const host = MapPages(bytes);
    const auto address = device.Allocate(bytes);
    if (host != nullptr && address) {
      mirror = Mirror{host, *address};
    } else {  // one is useless without the other
      if (host != nullptr) UnmapPages(host, bytes);
      if (address) static_cast<void>(device.Free(*address));
    }
  }
  if (!mirror) {
    const bool elsewhere = ChoosesByItself(mirror.error());
    return elsewhere ? cudaErrorMemoryAllocation : ToCuda(mirror.error());
  }
  allocations_[Address(mirror->host)] = {.kind = kind,
                                         .start = Address(mirror->host),
                                         .bytes = bytes,
                                         .device = mirror->device,
                                         .host = mirror->host,
                                         .flags = flags,
                                         .began_as_zeros = mirror->has_zeros};
  *pointer = mirror->host;
  return cudaSuccess;
}

DeviceResult<MemoryTable::Mirror> MemoryTable::MapMirror(Device& device, std::uint64_t bytes) {
  std::vector<std::byte*> taken;  // kept until the end, so that each try has another address
  DeviceResult<Mirror> mirror = tl::unexpected(DeviceError::kMemoryAllocation);
  for (int i = 0; i < kMirrorTries; ++i) {
    std::byte* const host = MapPages(bytes);
    if (host == nullptr) break;
    // A device that takes an address of the host begins with the zeros that the host has there.
    const auto address = device.Allocate(bytes, Address(host));
    if (address) {
      mirror = Mirror{.host = host, .device = *address, .has_zeros = true};
      break;
    }
    taken.push_back(host);
    mirror = tl::unexpected(address.error());
    if (address.error() != DeviceError::kInvalidValue) break;
  }
  for (std::byte* host : taken) UnmapPages(host, bytes);
  return mirror;
}

DeviceResult<MemoryTable::Mirror> MemoryTable::MirrorOf(Device& device, std::uint64_t bytes) {
  std::vector<DeviceAddress> taken;  // kept until the end, so that each try has another address
  DeviceResult<Mirror> mirror = tl::unexpected(DeviceError::kInvalidValue);
  for (int i = 0; i < kMirrorTries && !mirror; ++i) {
    const auto address = device.Allocate(bytes);
    if (!address) {
      mirror = tl::unexpected(address.error());
      break;
    }
    if (std::byte* const host = MapAt(*address, bytes); host != nullptr) {
      mirror = Mirror{host, *address};
    } else {
      taken.push_back(*address);
    }
  }
  for (const DeviceAddress address : taken) static_cast<void>(device.Free(address));
  return mirror;
}

cudaError_t MemoryTable::Register(Device& device, void* pointer, std::uint64_t bytes,
                                  unsigned flags) {
  if (Overlaps(Address(pointer), bytes)) return cudaErrorHostMemoryAlreadyRegistered;
  // Kernels may use the program's own pointer, wherever it points to. A GPU chooses its addresses
  // itself; there kernels must use the pointer of cudaHostGetDevicePointer().
  std::uint64_t before = Address(pointer) % kChosenAlignment;
  auto block = device.Allocate(before + bytes, Address(pointer) - before);
  if (!block && IsOneOf(block.error(), DeviceError::kInvalidValue, DeviceError::kNotSupported)) {
    before = 0;
    block = device.Allocate(bytes);
  }
  if (!block) return ToCuda(block.error());
  if (before != 0) device.MarkUnwritten(*block, before);  // no memory of the program's
  allocations_[Address(pointer)] = {.kind = MemoryKind::kRegistered,
                                    .start = Address(pointer),
                                    .bytes = bytes,
                                    .device = *block + before,
                                    .before = before,
                                    .host = static_cast<std::byte*>(pointer),
                                    .flags = flags};
  return cudaSuccess;
}

void MemoryTable::AddVariable(DeviceAddress address, std::uint64_t bytes) {
  allocations_[address] = {
      .kind = MemoryKind::kVariable, .start = address, .bytes = bytes, .device = address};
}

cudaError_t MemoryTable::MapVariable(Device& device, DeviceAddress address, std::uint64_t bytes,
                                     void** holder) {
  std::byte* const host = PlaceVariable(address, bytes, holder);
  if (host == nullptr) return cudaErrorMemoryAllocation;
  WARPCHECK_TRY_CODE(ToCuda(device.Read(address, std::span(host, bytes))));
  const bool elsewhere = Address(host) != address;
  const auto alias = elsewhere ? device.Allocate(bytes, Address(host)) : DeviceAddress{0};
  if (!alias) return ToCuda(alias.error());
  allocations_[Address(host)] = {.kind = MemoryKind::kManagedVariable,
                                 .start = Address(host),
                                 .bytes = bytes,
                                 .device = address,
                                 .alias = *alias,
                                 .host = host};
  return cudaSuccess;
}

std::byte* MemoryTable::PlaceVariable(DeviceAddress address, std::uint64_t bytes, void** holder) {
  std::byte*& host = variables_[holder];
  if (host == nullptr && address != 0) host = MapAt(address, bytes);
  if (host == nullptr) host = MapPages(bytes);
  *holder = host;
  return host;
}

std::byte* MemoryTable::MapAt(DeviceAddress address, std::uint64_t bytes) {
  const std::uintptr_t page = PageBytes();
  const std::uintptr_t end = RoundUp(address + bytes, page);
  for (std::uintptr_t at = address / page * page; at < end;) {
    std::uintptr_t hole = at;
    while (hole < end && !fixed_pages_.contains(hole)) hole += page;
    if (hole != at && MapPages(hole - at, Pointer(at)) == nullptr) return nullptr;
    for (; at < hole; at += page) fixed_pages_.insert(at);
    while (at < end && fixed_pages_.contains(at)) at += page;
  }
  return static_cast<std::byte*>(Pointer(address));
}

void MemoryTable::ForgetVariable(void** holder) {
  const auto found = variables_.find(holder);
  if (found == variables_.end()) return;
  allocations_.erase(Address(found->second));
  variables_.erase(found);
}

bool MemoryTable::IsDevicePage(const void* pointer) const {
  return fixed_pages_.contains(Address(pointer) / PageBytes() * PageBytes());
}

cudaError_t MemoryTable::Release(Device& device, const void* pointer, std::string_view call) {
  const auto found = allocations_.find(Address(pointer));
  if (found == allocations_.end() || FactsOf(found->second.kind).freed_by != call) {
    return cudaErrorInvalidValue;
  }
  const DeviceError error = device.Free(found->second.device - found->second.before);
  FreeHost(found->second);
  allocations_.erase(found);
  return ToCuda(error);
}

bool Allocation::Holds(const void* pointer, std::uint64_t count) const {
  for (const std::uint64_t first : {std::uint64_t{start}, device}) {
    // The difference wraps around if the pointer lies before the first allocation.
    const std::uint64_t offset = Address(pointer) - first;
    if (offset < bytes && count <= bytes - offset) return true;
  }
  return false;
}

const Allocation* MemoryTable::Find(const void* pointer) const {
  auto after = allocations_.upper_bound(Address(pointer));
  if (after != allocations_.begin() && std::prev(after)->second.Holds(pointer, 1)) {
    return &std::prev(after)->second;
  }
  for (const auto& [start, allocation] : allocations_) {  // the copy has an address of its own
    if (allocation.device != start && allocation.Holds(pointer, 1)) return &allocation;
  }
  return nullptr;
}

bool MemoryTable::Overlaps(std::uintptr_t start, std::uint64_t bytes) const {
  const auto after = allocations_.lower_bound(start);
  if (after != allocations_.end() && after->first - start < bytes) return true;
  return after != allocations_.begin() && std::prev(after)->second.Holds(Pointer(start), 1);
}

DeviceError MemoryTable::Launch(Device& device, const LaunchRequest& request,
                                const BeforeUse& before_use) {
  send_error_ = DeviceError::kSuccess;
  for (auto& [start, allocation] : allocations_) {
    if (allocation.host == nullptr) continue;
    allocation.of_launch = false;
    const auto send = [this, &device, &before_use, at = start] { Send(device, at, before_use); };
    const bool fetches = device.FetchAtUse(allocation.device, send) &&
                         (allocation.alias == 0 || device.FetchAtUse(allocation.alias, send));
    if (!fetches) send();
  }
  WARPCHECK_TRY_CODE(send_error_);
  WARPCHECK_TRY_CODE(device.Launch(request));
  return send_error_;
}

void MemoryTable::Send(Device& device, std::uintptr_t start, const BeforeUse& before_use) {
  const auto found = allocations_.find(start);
  if (found == allocations_.end() || std::exchange(found->second.of_launch, true)) return;
  before_use(found->second);
  const DeviceError error = Push(device, found->second);
  if (error != DeviceError::kSuccess) send_error_ = error;
}

// Sends a whole allocation if it changed, and sends a small allocation always, so that the
// program's requests do not depend on which bytes a kernel left unchanged.
DeviceError MemoryTable::Push(Device& device, Allocation& allocation) {
  constexpr std::size_t kSmall = 65'536;  // in bytes
  if (allocation.host == nullptr) return DeviceError::kSuccess;
  const bool first = allocation.synced.is_empty();
  if (first) {
    allocation.synced = SparseBytes(allocation.bytes);
    if (allocation.synced.is_empty()) return DeviceError::kMemoryAllocation;
  }
  const std::span<std::byte> synced = allocation.synced.bytes();
  bool changed = false;
  EachUsedPart(allocation.host, allocation.bytes, [&](std::uint64_t begin, std::uint64_t end) {
    changed = TakeOver(allocation.host, synced, begin, end) || changed;
  });
  const bool known = first ? allocation.began_as_zeros : true;
  if (allocation.bytes > kSmall && known && !changed) return DeviceError::kSuccess;
  WARPCHECK_TRY_CODE(device.Write(allocation.device, synced));
  if (allocation.alias != 0) {  // counts as one write of the host, whatever the device copies
    WARPCHECK_TRY_CODE(device.Copy(allocation.alias, allocation.device, synced.size()));
  }
  return DeviceError::kSuccess;
}

DeviceError MemoryTable::Push(Device& device, const Allocation& allocation) {
  return Push(device, allocations_.at(allocation.start));
}

DeviceError MemoryTable::Pull(Device& device, const Allocation& allocation, const DeviceBox& from,
                              const Extent3& extent) {
  Allocation& here = allocations_.at(allocation.start);
  const std::uint64_t offset = from.address - here.device;
  std::vector<std::byte> rows(extent.Bytes());
  WARPCHECK_TRY_CODE(device.ReadBox(from, extent, rows));
  MoveBox(here.host + offset, from.strides, rows.data(), Packed(extent), extent);
  if (here.synced.is_empty()) return DeviceError::kSuccess;
  MoveBox(here.synced.bytes().data() + offset, from.strides, rows.data(), Packed(extent), extent);
  return DeviceError::kSuccess;
}

DeviceError MemoryTable::PullRange(Device& device, Allocation& allocation, std::uint64_t begin,
                                   std::uint64_t end) {
  // So much is read at a time.
  constexpr std::uint64_t kStep = std::uint64_t{1} << 20;
  std::vector<std::byte> now;
  for (std::uint64_t at = begin; at < end; at += kStep) {
    now.resize(std::min(kStep, end - at));
    WARPCHECK_TRY_CODE(device.Read(allocation.device + at, now));
    const std::span<std::byte> synced = allocation.synced.bytes().subspan(at, now.size());
    if (std::memcmp(now.data(), synced.data(), now.size()) == 0) continue;
    TakeChanges(synced, now, allocation.host + at);
    std::ranges::copy(now, synced.begin());
  }
  return DeviceError::kSuccess;
}

DeviceError MemoryTable::Pull(Device& device, const std::vector<MemoryUse>* uses) {
  for (auto& [start, allocation] : allocations_) {
    if (allocation.host == nullptr || !allocation.of_launch) continue;
    if (allocation.alias != 0) {
      std::vector<std::byte> bytes(allocation.bytes);
      WARPCHECK_TRY_CODE(device.Read(allocation.device, bytes));
      WARPCHECK_TRY_CODE(Merge(device, allocation, bytes));
      TakeChanges(allocation.synced.bytes(), bytes, allocation.host);
      std::ranges::copy(bytes, allocation.synced.bytes().begin());
    } else if (uses == nullptr || allocation.device != Address(allocation.host)) {
      WARPCHECK_TRY_CODE(PullRange(device, allocation, 0, allocation.bytes));
    } else {
      const std::uintptr_t first = Address(allocation.host);
      for (const MemoryUse& use : *uses) {
        const std::uint64_t begin = std::max<std::uint64_t>(use.begin, first);
        const std::uint64_t end = std::min<std::uint64_t>(use.end, first + allocation.bytes);
        if (use.kind == MemoryUse::Kind::kRead || begin >= end) continue;
        WARPCHECK_TRY_CODE(PullRange(device, allocation, begin - first, end - first));
      }
    }
  }
  return DeviceError::kSuccess;
}

void MemoryTable::FreeHost(const Allocation& allocation) {
  const bool owned = FactsOf(allocation.kind).maps_pages;
  // A page at a device's address may also contain the end of another allocation, so it stays
  // mapped.
  if (owned && !IsDevicePage(allocation.host)) UnmapPages(allocation.host, allocation.bytes);
}

void MemoryTable::ForgetDevice() {
  for (const auto& [start, allocation] : allocations_) FreeHost(allocation);
  allocations_.clear();
}

}  // namespace warpcheck::cudart
