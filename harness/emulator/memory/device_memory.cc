#include "emulator/memory/device_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/round_up.h"
#include "emulator/memory/lazy_pages.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::size_t kHostAlignment = 64;
// Each allocation counts as whole pages against the limit beyond these bytes, so that the number of
// small ones is limited too.
constexpr std::uint64_t kRoomForPages = std::uint64_t{16} << 20;

// Allocations below this size come from malloc, which keeps for the next device the memory that one
// device frees. For larger ones the system provides pages when they are first accessed.
constexpr std::uint64_t kMapped = std::uint64_t{4} << 20;

// Returns the bytes of the host before the marks of an allocation: whole pages, or what a small
// allocation needs.
std::uint64_t BeforeMarks(std::uint64_t bytes) {
  return RoundUp(bytes, bytes < kPageBytes ? kHostAlignment : kPageBytes);
}

// Returns the bytes of the host that an allocation takes, whose whole pages these are.
std::uint64_t TakenBy(std::uint64_t bytes, std::uint64_t pages) {
  return bytes < kPageBytes ? pages / kPageBytes * BeforeMarks(bytes) : pages;
}

// Returns zeroed memory, except for the first `filled` bytes, which are set to 0xFF.
std::byte* TakeMemory(std::uint64_t bytes, std::uint64_t filled) {
  if (bytes >= kMapped) {
    const std::uint64_t whole = filled / kPageBytes * kPageBytes;
    std::byte* const mapped = MapLazily(bytes, whole);
    if (mapped != nullptr) std::memset(mapped + whole, 0xFF, filled - whole);
    return mapped;
  }
  void* const memory = std::aligned_alloc(kHostAlignment, bytes);
  if (memory == nullptr) return nullptr;
  std::memset(memory, 0xFF, filled);
  std::memset(static_cast<std::byte*>(memory) + filled, 0, bytes - filled);
  return static_cast<std::byte*>(memory);
}

void GiveBackMemory(std::byte* memory, std::uint64_t bytes) {
  if (bytes < kMapped) {
    std::free(memory);
  } else {
    ::munmap(memory, bytes);
  }
}

}  // namespace

std::uint64_t DeviceMemory::PagesOf(std::uint64_t bytes) const {
  const std::uint64_t pages = RoundUp(bytes, kPageBytes);
  return tracks_writes_ ? 2 * pages : pages;
}

std::uint8_t* DeviceMemory::WrittenBehind(const std::byte* host, std::uint64_t bytes) {
  return reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(host)) + BeforeMarks(bytes);
}

void DeviceMemory::MarkWritten(DeviceAddress address, std::uint64_t bytes, bool written) {
  const Allocation* allocation = tracks_writes_ ? Find(address, bytes) : nullptr;
  if (allocation == nullptr) return;
  std::uint8_t* const marks = WrittenBehind(allocation->host, allocation->bytes);
  if (written && bytes == allocation->bytes && PagesOf(bytes) >= kMapped) {
    FillLazily(reinterpret_cast<std::byte*>(marks), RoundUp(bytes, kPageBytes));
  } else {
    std::memset(marks + (address - allocation->begin), written ? 0xFF : 0, bytes);
  }
  if (written) {
    allocation->known->Note(address - allocation->begin, bytes);
  } else {
    allocation->known->Forget(address - allocation->begin, bytes);
  }
}

void DeviceMemory::CopyWritten(const DeviceBox& to, const DeviceBox& from, const Extent3& extent) {
  const std::uint64_t to_span = *SpanOf(to.strides, extent);
  const std::uint64_t from_span = *SpanOf(from.strides, extent);
  const Allocation* source = tracks_writes_ ? Find(from.address, from_span) : nullptr;
  const Allocation* target = tracks_writes_ ? Find(to.address, to_span) : nullptr;
  if (source == nullptr || target == nullptr) return;
  const auto marks = [](const Allocation& allocation, DeviceAddress address) {
    return reinterpret_cast<std::byte*>(WrittenBehind(allocation.host, allocation.bytes)) +
           (address - allocation.begin);
  };
  MoveBox(marks(*target, to.address), to.strides, marks(*source, from.address), from.strides,
          extent);
  target->known->Forget(to.address - target->begin, to_span);
}

DeviceMemory::~DeviceMemory() { FreeAll(); }

DeviceResult<DeviceAddress> DeviceMemory::Allocate(std::uint64_t bytes, DeviceAddress at,
                                                   bool zeros, AllocationKind kind,
                                                   std::string name) {
  if (bytes == 0) return tl::unexpected(DeviceError::kInvalidValue);
  if (bytes > limit_bytes_ - used_bytes_ ||
      RoundUp(bytes, kPageBytes) > limit_bytes_ + kRoomForPages - held_bytes_) {
    return tl::unexpected(DeviceError::kMemoryAllocation);
  }
  DeviceAddress begin = at;
  if (at == 0) {
    const std::optional<DeviceAddress> place = NewPlace(bytes, kind);
    if (!place) return tl::unexpected(DeviceError::kMemoryAllocation);
    begin = *place;
  } else {
    if (at + bytes < at || at >= kHeapWindow.begin || at % kChosenAlignment != 0) {
      return tl::unexpected(DeviceError::kInvalidValue);
    }
    if (!MakeRoom(at, bytes)) return tl::unexpected(DeviceError::kInvalidValue);
  }
  std::byte* host = TakeMemory(TakenBy(bytes, PagesOf(bytes)), zeros ? 0 : bytes);
  if (host == nullptr) return tl::unexpected(DeviceError::kMemoryAllocation);
  used_bytes_ += bytes;
  held_bytes_ += RoundUp(bytes, kPageBytes);
  Allocation& allocation = allocations_[begin];
  allocation = {begin, bytes, host, kind, std::move(name)};
  if (tracks_writes_) allocation.known = std::make_unique<KnownWritten>(bytes);
  if (zeros) MarkWritten(begin, bytes);
  return begin;
}

std::optional<DeviceAddress> DeviceMemory::NewPlace(std::uint64_t bytes, AllocationKind kind) {
  if (kind == AllocationKind::kHeap && used_places_ < kPlaces && bytes <= kPlaceBytes / 2) {
    // Multiples of an odd number, 0.618 of all, take each place once. Their order looks random, and
    // so does what lies before an allocation in its place: no distance is a multiple of 2^32.
    constexpr std::uint64_t kStep = 2531;
    constexpr std::uint64_t kMostBefore = kPlaceBytes / 4 / kGap;
    const std::uint64_t place = used_places_++ * kStep % kPlaces;
    const std::uint64_t before = 1 + place * kStep % kMostBefore;
    return kHeapWindow.begin + place * kPlaceBytes + before * kGap;
  }
  const DeviceAddress begin = next_;
  if (bytes > kHeapWindow.end - begin) return std::nullopt;
  next_ = RoundUp(begin + bytes + std::max(kGap, bytes), kAlignment);
  return begin;
}

bool DeviceMemory::MakeRoom(DeviceAddress begin, std::uint64_t bytes) {
  const auto last = allocations_.lower_bound(begin + bytes);
  auto first = allocations_.upper_bound(begin);
  if (first != allocations_.begin() && std::prev(first)->second.end() > begin) --first;
  const bool live = std::any_of(
      first, last, [](const auto& allocation) { return allocation.second.host != nullptr; });
  if (!live) allocations_.erase(first, last);
  return !live;
}

DeviceError DeviceMemory::Free(DeviceAddress address, AllocationKind kind) {
  if (address == 0) return DeviceError::kSuccess;
  const auto found = allocations_.find(address);
  if (found == allocations_.end() || found->second.host == nullptr || found->second.kind != kind) {
    return DeviceError::kInvalidValue;
  }
  Allocation& allocation = found->second;
  GiveBackMemory(allocation.host, TakenBy(allocation.bytes, PagesOf(allocation.bytes)));
  allocation.host = nullptr;
  fetches_.erase(address);
  allocation.to_fetch = false;
  allocation.known.reset();
  used_bytes_ -= allocation.bytes;
  held_bytes_ -= RoundUp(allocation.bytes, kPageBytes);
  ++frees_;
  freed_.push_back(address);
  if (freed_.size() > kFreedRemembered) {
    const auto oldest = allocations_.find(freed_.front());
    if (oldest != allocations_.end() && oldest->second.host == nullptr) allocations_.erase(oldest);
    freed_.pop_front();
  }
  return DeviceError::kSuccess;
}

void DeviceMemory::FreeAll() {
  for (const auto& [begin, allocation] : allocations_) {
    if (allocation.host == nullptr) continue;
    GiveBackMemory(allocation.host, TakenBy(allocation.bytes, PagesOf(allocation.bytes)));
  }
  allocations_.clear();
  fetches_.clear();
  freed_.clear();
  used_bytes_ = held_bytes_ = 0;
}

const Allocation* DeviceMemory::Find(DeviceAddress address, std::uint64_t bytes) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const Allocation& allocation = std::prev(after)->second;
  const std::uint64_t offset = address - allocation.begin;
  if (allocation.host == nullptr || offset > allocation.bytes ||
      bytes > allocation.bytes - offset) {
    return nullptr;
  }
  Fetch(allocation);
  return &allocation;
}

const Allocation* DeviceMemory::Nearest(DeviceAddress address) const {
  const auto after = allocations_.upper_bound(address);
  const Allocation* nearest = after == allocations_.end() ? nullptr : &after->second;
  if (after != allocations_.begin()) {
    const Allocation* const below = &std::prev(after)->second;
    const bool closer = address < below->end() || nearest == nullptr ||
                        address - below->end() <= nearest->begin - address;
    if (closer) nearest = below;
  }
  if (nearest != nullptr) Fetch(*nearest);
  return nearest;
}

bool DeviceMemory::FetchAtUse(DeviceAddress address, std::function<void()> fetch) {
  const Allocation* const allocation = Find(address, 1);
  if (allocation == nullptr) return false;
  fetches_[allocation->begin] = std::move(fetch);
  allocation->to_fetch = true;
  return true;
}

void DeviceMemory::ForgetFetches() {
  for (const auto& [begin, fetch] : fetches_) allocations_.at(begin).to_fetch = false;
  fetches_.clear();
}

void DeviceMemory::Fetch(const Allocation& allocation) const {
  const std::atomic_ref to_fetch(allocation.to_fetch);
  if (!to_fetch.load(std::memory_order_acquire)) [[likely]]
    return;
  const std::lock_guard lock(fetch_mutex_);
  if (is_fetching_ || !to_fetch.load(std::memory_order_relaxed)) return;
  is_fetching_ = true;
  fetches_.at(allocation.begin)();
  is_fetching_ = false;
  to_fetch.store(false, std::memory_order_release);
}

std::byte* DeviceMemory::Host(DeviceAddress address, std::uint64_t bytes) const {
  const Allocation* allocation = Find(address, bytes);
  return allocation == nullptr ? nullptr : allocation->host + (address - allocation->begin);
}

void DeviceMemory::NoteHostWrite(const char* call, DeviceAddress address, std::uint64_t bytes) {
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) return;
  Allocation& allocation = std::prev(next)->second;
  const std::uint64_t begin = address - allocation.begin;
  allocation.host_write = {call, begin, bytes};
  allocation.host_end = std::max(allocation.host_end, begin + bytes);
}

void DeviceMemory::NoteMaker(DeviceAddress address, std::shared_ptr<const Maker> maker) {
  const auto found = allocations_.find(address);
  if (found != allocations_.end()) found->second.maker = std::move(maker);
}

std::vector<const Allocation*> DeviceMemory::OfKernels() const {
  std::vector<const Allocation*> made;
  for (const auto& [begin, allocation] : allocations_) {
    if (allocation.host != nullptr && allocation.maker) made.push_back(&allocation);
  }
  return made;
}

void DeviceMemory::NameArray(DeviceAddress address, const ArrayName& name) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return;
  found->second.name = name.name;
  found->second.element_bytes = name.element_bytes;
  found->second.extents = name.extents;
}

}  // namespace warpcheck::emulator
