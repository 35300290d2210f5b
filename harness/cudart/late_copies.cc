#include "cudart/late_copies.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/round_up.h"
#include "cudart/misuse.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {

namespace {

std::size_t WholePages(std::size_t bytes) { return RoundUp(bytes, PageBytes()); }

}  // namespace

std::size_t PageBytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::byte* MapPages(std::size_t bytes, void* at) {
  if (bytes == 0 || bytes > PTRDIFF_MAX / 2) return nullptr;
  const int fixed = at != nullptr ? MAP_FIXED_NOREPLACE : 0;
  void* const start = mmap(at, WholePages(bytes), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  if (at != nullptr && start != at) {  // a kernel before 4.17
    munmap(start, WholePages(bytes));
    return nullptr;
  }
  return static_cast<std::byte*>(start);
}

void UnmapPages(std::byte* start, std::size_t bytes) { munmap(start, WholePages(bytes)); }

bool IsMapped(const void* start, std::uint64_t bytes) {
  const std::uint64_t page = PageBytes();
  const auto begin = reinterpret_cast<std::uintptr_t>(start);
  if (bytes == 0) return true;
  if (begin == 0 || bytes > UINTPTR_MAX - begin - page) return false;
  const std::uint64_t end = RoundUp(begin + bytes, page);
  std::array<unsigned char, 4096> resident;
  for (std::uint64_t at = begin / page * page; at < end;) {
    const std::uint64_t step = std::min<std::uint64_t>(end - at, resident.size() * page);
    if (mincore(reinterpret_cast<void*>(at), step, resident.data()) != 0) {
      if (errno == ENOMEM) return false;
      if (errno != EAGAIN) return true;  // a sandbox that forbids the question
      continue;
    }
    at += step;
  }
  return true;
}

namespace {

template <class T>
bool Has(const std::vector<T>& list, T one) {
  return std::ranges::find(list, one) != list.end();
}

// The legacy default stream waits for all but those that do not block it.
bool WaitsForOthers(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

}  // namespace

void LateCopies::Add(cudaStream_t stream, Target target, std::string call) {
  copies_.push_back({.target = std::move(target),
                     .call = std::move(call),
                     .kernel = false,
                     .streams = {stream},
                     .events = {}});
}

void LateCopies::AddKernel(cudaStream_t stream, std::string kernel) {
  // One after another in the stream: whoever waits for the last has waited for all.
  std::erase_if(copies_, [=](const Copy& one) { return one.kernel && one.streams[0] == stream; });
  Copy last;
  last.call = std::move(kernel);
  last.kernel = true;
  last.streams = {stream};
  copies_.push_back(std::move(last));
}

bool LateCopies::IsBefore(const Copy& copy, cudaStream_t stream) {
  return Has(copy.streams, stream) || (WaitsForOthers(stream) && !copy.kernel);
}

void LateCopies::Deliver(Copy& copy) {
  Target& target = copy.target;
  if (!target.bytes.empty()) {
    MoveBox(target.host, target.strides, target.bytes.data(), Packed(target.extent), target.extent);
  }
  target.bytes.clear();
}

void LateCopies::Deliver() {
  for (Copy& copy : copies_) Deliver(copy);
}

template <class Covered>
void LateCopies::Finish(Covered covered) {
  for (Copy& copy : copies_) {
    if (covered(copy)) Deliver(copy);
  }
  std::erase_if(copies_, covered);
}

void LateCopies::WaitForAll() {
  Finish([](const Copy&) { return true; });
}

void LateCopies::WaitFor(cudaStream_t stream) {
  Finish([=](const Copy& copy) { return IsBefore(copy, stream); });
}

void LateCopies::WaitFor(cudaEvent_t event) {
  Finish([=](const Copy& copy) { return Has(copy.events, event); });
}

void LateCopies::Recorded(cudaEvent_t event, cudaStream_t stream) {
  for (Copy& copy : copies_) {
    std::erase(copy.events, event);
    if (IsBefore(copy, stream)) copy.events.push_back(event);
  }
}

void LateCopies::StreamWaits(cudaStream_t stream, cudaEvent_t event, bool default_waits) {
  std::erase_if(copies_, [=](const Copy& copy) {
    return copy.kernel && default_waits && Has(copy.events, event);
  });
  for (Copy& copy : copies_) {
    if (Has(copy.events, event)) copy.streams.push_back(stream);
  }
}

void LateCopies::NoteLeftovers(Runtime& runtime) {
  for (Copy& copy : copies_) {
    Deliver(copy);
    if (copy.kernel) {
      NoteMisuse(runtime, FindingKind::kUnfinishedKernel,
                 fmt::format("nobody waits for the end of {} in a non-blocking stream: its results "
                             "may not be there yet when the default stream goes on",
                             copy.call));
      continue;
    }
    NoteMisuse(
        runtime, FindingKind::kUnfinishedCopy,
        fmt::format("nobody waits for the end of {}, which copies {} bytes to the host: what "
                    "the host reads there may still be the old bytes",
                    copy.call, copy.target.extent.Bytes()));
  }
  copies_.clear();
}

}  // namespace warpcheck::cudart
