#include "cudart/misuse.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "cudart/runtime.h"
#include "debuginfo/call_site.h"
#include "debuginfo/host_lines.h"

namespace warpcheck::cudart {
namespace {

constexpr std::size_t kMaxFreedRemembered = 65'536;

// Returns the advice on which call frees memory of this kind.
std::string HowToFree(MemoryKind kind) {
  const std::string_view call = FactsOf(kind).freed_by;
  return call.empty() ? "a variable cannot be freed" : fmt::format("free it with {}", call);
}

}  // namespace

void NoteMisuse(Runtime& runtime, const Finding& finding) {
  if (runtime.device == nullptr || !runtime.misuse.Admits(finding)) return;
  runtime.device->NoteMisuse(finding);
}

void NoteMisuse(Runtime& runtime, FindingKind kind, const std::string& message) {
  NoteMisuse(
      runtime,
      {.kind = kind, .where = runtime.lines.OfCall(CurrentCall().address), .message = message});
}

void Misuse::Made(HandleKind kind, std::uint64_t handle) {
  const CallSite site = CurrentCall();
  handles_[{kind, handle}] = {.call = site.Text(), .place = site.address};
}

void Misuse::NoteHandles(Runtime& runtime) const {
  std::map<std::tuple<SourceLocation, std::string, HandleKind>, int> left;
  for (const auto& [handle, maker] : handles_) {
    ++left[{runtime.lines.OfCall(maker.place), maker.call, handle.first}];
  }
  for (const auto& [origin, count] : left) {
    const auto& [where, call, kind] = origin;
    const HandleKindFacts& facts = FactsOf(kind);
    NoteMisuse(runtime,
               {.kind = FindingKind::kLeakedHandle,
                .where = where,
                .message = count == 1 ? fmt::format("the {} of {} is never {}", facts.what, call,
                                                    facts.given_back)
                                      : fmt::format("{} {}s of {} are never {}", count, facts.what,
                                                    call, facts.given_back),
                .hint = fmt::format("call {}() for every {}", facts.given_back_by, facts.what),
                .about = fmt::format("{} of {}", facts.what, call)});
  }
}

void Misuse::Allocated(const void* pointer, std::uint64_t bytes) {
  freed_.erase(Address(pointer));
  const CallSite site = CurrentCall();
  live_[Address(pointer)] = {
      .start = Address(pointer), .bytes = bytes, .call = site.Text(), .place = site.address};
}

std::optional<Origin> Misuse::OriginOf(std::uintptr_t address) const {
  const auto after = live_.upper_bound(address);
  if (after == live_.begin()) return std::nullopt;
  const Origin& origin = std::prev(after)->second;
  return address - origin.start < origin.bytes ? std::optional(origin) : std::nullopt;
}

void Misuse::Freed(const void* pointer) {
  if (live_.erase(Address(pointer)) != 0 && freed_.size() < kMaxFreedRemembered) {
    freed_.insert(Address(pointer));
  }
}

void Misuse::NoteInvalidFree(Runtime& runtime, const void* pointer) const {
  const Allocation* const allocation = runtime.memory.Find(pointer);
  std::string why = "the program did not allocate it";
  if (allocation != nullptr && Address(pointer) == allocation->start) {
    why = fmt::format("it was allocated by another call: {}", HowToFree(allocation->kind));
  } else if (allocation != nullptr) {
    why = fmt::format(
        "it points to byte {} of an allocation of {}: pass the address of its first byte",
        Grouped(Address(pointer) - allocation->start), Counted(allocation->bytes, "byte"));
  } else if (freed_.contains(Address(pointer))) {
    why = "it was freed before";
  }
  NoteMisuse(runtime, FindingKind::kInvalidFree,
             fmt::format("{} cannot free its argument: {}", CurrentCall().Text(), why));
}

void Misuse::LaunchRefused(std::string message, std::uint64_t place) {
  refused_[ThisThread()] = {std::move(message), place};
}

void Misuse::ErrorAsked() { refused_.erase(ThisThread()); }

void Misuse::NoteLeftovers(Runtime& runtime) {
  // After an error that stays, every call fails: the program cannot free or destroy anything.
  const bool can_free = runtime.sticky == cudaSuccess && runtime.pending == cudaSuccess;
  if (can_free) NoteHandles(runtime);
  for (const auto& [thread, launch] : std::exchange(refused_, {})) {
    NoteMisuse(runtime, {.kind = FindingKind::kUncheckedLaunch,
                         .where = runtime.lines.OfCall(launch.place),
                         .message = launch.message});
  }
  if (!can_free) return;
  struct Left {
    std::uint64_t count = 0, bytes = 0;
    bool of_one_size = true;
  };
  // By the line, the call, and the function that frees such memory.
  std::map<std::tuple<SourceLocation, std::string, std::string_view>, Left> leaks;
  for (const auto& [start, origin] : live_) {
    // A CUDA array is no memory that has an address.
    const Allocation* const memory = runtime.memory.Find(reinterpret_cast<const void*>(start));
    Left& left = leaks[{runtime.lines.OfCall(origin.place), origin.call,
                        memory == nullptr ? "cudaFreeArray" : FactsOf(memory->kind).freed_by}];
    left.of_one_size = left.of_one_size && left.bytes == left.count * origin.bytes;
    ++left.count;
    left.bytes += origin.bytes;
  }
  for (const auto& [origin, left] : leaks) {
    const auto& [where, call, freed_by] = origin;
    std::string message =
        fmt::format("{} allocates {}, and nothing frees them", call, Counted(left.bytes, "byte"));
    if (left.count > 1) {
      message = left.of_one_size
                    ? fmt::format("{} allocates {} times {}, and nothing frees them", call,
                                  Grouped(left.count), Counted(left.bytes / left.count, "byte"))
                    : fmt::format("{} allocates {} times, together {}, and nothing frees them",
                                  call, Grouped(left.count), Counted(left.bytes, "byte"));
    }
    NoteMisuse(runtime, {.kind = FindingKind::kLeak,
                         .where = where,
                         .message = message,
                         .hint = fmt::format("call {}() for every {}()", freed_by,
                                             call.substr(0, call.find(' '))),
                         .about = call});
  }
}

void Misuse::ForgetAllocations() {
  live_.clear();
  freed_.clear();
  handles_.clear();
}

void NoteHostFault(Runtime& runtime, const HostFault& fault) {
  const auto found = std::ranges::find_if(fault.addresses(), [&](std::uintptr_t address) {
    const Allocation* const memory = runtime.memory.Find(reinterpret_cast<const void*>(address));
    return memory != nullptr ? memory->host == nullptr : runtime.device->Holds(address, 1);
  });
  if (found == fault.addresses().end()) return;
  Finding finding{.kind = FindingKind::kDeviceMemoryOnHost,
                  .where = runtime.lines.Of(fault.code().front())};
  for (const std::uint64_t caller : fault.code().subspan(1)) {
    if (finding.where.known()) break;
    finding.where = runtime.lines.OfCall(caller);
  }
  const auto origin = runtime.misuse.OriginOf(*found);
  if (origin) {
    finding.other = runtime.lines.OfCall(origin->place);
    finding.message = fmt::format(
        "code of the host uses byte {} of the {} of {}{}, which is memory of the device",
        Grouped(*found - origin->start), Counted(origin->bytes, "byte"), origin->call,
        InBrackets(finding.other));
  } else {
    finding.message = "code of the host uses memory of the device that the program was given";
  }
  NoteMisuse(runtime, finding);
}

void NoteUnknownHandle(Runtime& runtime, const void* handle) {
  const auto destroyed = runtime.streams.Destroyed(handle);
  const CallSite call = CurrentCall();
  std::string what = "a stream or event that was never created";
  Finding finding{.kind = FindingKind::kInvalidHandle, .where = runtime.lines.OfCall(call.address)};
  if (destroyed) {
    const bool stream = destroyed->kind == HandleKind::kStream;
    finding.other = runtime.lines.OfCall(destroyed->place);
    what = fmt::format("{} that was destroyed before{}", stream ? "a stream" : "an event",
                       InBrackets(finding.other));
    finding.hint = fmt::format(
        "call {} after the last call that gets the {}: work that it has by then still ends",
        stream ? "cudaStreamDestroy()" : "cudaEventDestroy()", stream ? "stream" : "event");
  }
  finding.message =
      fmt::format("{} gets {}: it returned cudaErrorInvalidResourceHandle", call.Text(), what);
  NoteMisuse(runtime, finding);
}

}  // namespace warpcheck::cudart
