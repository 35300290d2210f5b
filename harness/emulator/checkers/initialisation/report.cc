#include "emulator/checkers/initialisation/report.h"

#include <fmt/format.h>

#include <bit>
#include <string>
#include <string_view>

#include "base/text.h"
#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/record/array_text.h"
#include "emulator/record/findings.h"
#include "emulator/record/size_text.h"
#include "emulator/record/source_lines.h"
#include "ptx/module.h"

namespace warpcheck::emulator {
namespace {

bool IsShuffle(const Origin& origin) {
  return origin.program != nullptr &&
         origin.program->function->body[origin.instruction].opcode == ptx::Opcode::kShfl;
}

// Returns why a lane that a shuffle reads from does not take part, and what to do about it.
struct Absence {
  std::string what;  // such as "lane 0 reads lane 16, which has ended"
  const char* hint = "";
};

Absence AbsenceOf(const Launch& launch, const Origin& origin, int lane) {
  if (origin.lanes == 0) return {"a lane reads a lane that does not take part", ""};
  const auto at = static_cast<std::size_t>(lane);
  const std::uint64_t source = origin.addresses[at];
  const LaneMask members = origin.members[at];
  const std::string reads = fmt::format("lane {} reads lane {}", lane, source);
  if (((members >> source) & 1U) == 0) {
    return {fmt::format("{}, which is not in the mask 0x{:08x}", reads, members),
            "read only from lanes of the mask: if fewer than 32 lanes shuffle, pass their number "
            "as the width (the fourth argument). Or let all 32 lanes take part, with the mask "
            "0xffffffff and a neutral value (0 for a sum) where there is no element"};
  }
  const std::uint64_t threads = launch.request->block.Count();
  if (std::uint64_t{origin.warp} * kLanes + source >= threads) {
    return {fmt::format("{}, which does not exist: the block has {}", reads,
                        Counted(threads, "thread")),
            "make the block a multiple of 32 threads, or shuffle only among lanes that exist: in "
            "half a warp start with an offset of 8, not 16"};
  }
  return {reads + ", which has ended",
          "let all lanes of the warp reach the shuffle: do not return early, but guard the load "
          "and the store. Use a neutral value (0 for a sum) where there is no element"};
}

constexpr std::string_view kFirstValue =
    "give the element its first value before the first update, such as 0 by cudaMemset or by a "
    "kernel: outputs and newly allocated memory hold arbitrary values";

// Returns how to write memory of a kind before its first use.
std::string_view HintFor(MemoryKind memory) {
  switch (memory) {
    case MemoryKind::kShared:
      return "write every element before you read it, with a __syncthreads() in between if another "
             "thread writes it, and read only what was written: the guards of both lines must fit "
             "together. A shared array holds arbitrary values when a block starts";
    case MemoryKind::kLocal:
      return "give the variable or local array a value on every path that leads here";
    case MemoryKind::kGlobal:
      return "write every element before you read it, and read only elements that were written "
             "(compare the index with their number): outputs and newly allocated memory hold "
             "arbitrary values";
    default:
      return {};
  }
}

// Says what the kernel does with an undefined value.
std::string_view Done(UndefinedUse use) {
  // In the order of UndefinedUse.
  constexpr std::string_view kDone[] = {"stores a value that depends on it",
                                        "uses a value that depends on it as an address",
                                        "branches on a value that depends on it",
                                        "uses a value that depends on it in an atomic operation",
                                        "waits in a way that depends on it"};
  return kDone[static_cast<std::size_t>(use)];
}

}  // namespace

void ReportUse(Warp& warp, const Step& step, LaneMask lanes, UndefinedUse use,
               const Origin& origin) {
  Launch& launch = *warp.launch;
  if (launch.stopped) return;
  const FindingKind kind =
      IsShuffle(origin) ? FindingKind::kUndefinedShuffle : FindingKind::kUninitialisedUse;
  const auto count = static_cast<std::uint64_t>(std::popcount(lanes));
  const auto found = launch.places.find({origin.program, origin.instruction, kind});
  if (found != launch.places.end()) {
    launch.record.findings[found->second].count += count;
    return;
  }
  if (IsFull(launch, kind)) return CountFurther(launch, kind, count);
  Finding finding;
  finding.kind = kind;
  finding.where = PlaceOf(launch, *origin.program, origin.instruction);
  finding.kernel = launch.record.kernel;
  finding.count = count;
  finding.caller = CallerOf(launch, *origin.program, origin.instruction);
  const LaneMask both = lanes & origin.lanes;
  const int lane = std::countr_zero(both != 0 ? both : origin.lanes);
  if (origin.lanes != 0) {
    const std::uint32_t linear = origin.warp * kLanes + static_cast<std::uint32_t>(lane);
    finding.thread = ThreadPosition{origin.block, PositionIn(launch.request->block, linear), lane};
  }
  const std::string line = LineText(PlaceOf(warp, step), finding.where);
  if (IsShuffle(origin)) {
    const Absence absence = AbsenceOf(launch, origin, lane);
    finding.message = fmt::format("{}, and {} {}", absence.what, line, Done(use));
    finding.hint = absence.hint;
  } else {
    const std::string what =
        origin.lanes == 0
            ? "memory"
            : ElementText(launch, origin.memory, origin.addresses[static_cast<std::size_t>(lane)],
                          origin.bytes);
    const std::uint64_t address =
        origin.lanes == 0 ? 0 : origin.addresses[static_cast<std::size_t>(lane)];
    const Allocation* array = origin.memory == MemoryKind::kGlobal && origin.lanes != 0
                                  ? launch.memory->Find(address, 1)
                                  : nullptr;
    WrittenPart part =
        array == nullptr ? WrittenPart() : PartWritten(*array, address, origin.bytes);
    finding.message =
        use == UndefinedUse::kAtomic
            ? fmt::format("{}an atomic operation updates {}, which nothing has written",
                          part.message, what)
            : fmt::format("{}reads {}, which nothing has written, and {} {}", part.message, what,
                          line, Done(use));
    finding.hint = std::move(part.hint);
    finding.call = std::move(part.call);
    if (finding.hint.empty() && origin.lanes != 0) {
      const bool updates = use == UndefinedUse::kAtomic && origin.memory == MemoryKind::kGlobal;
      finding.hint = updates ? kFirstValue : HintFor(origin.memory);
    }
  }
  launch.places[{origin.program, origin.instruction, kind}] = AddFinding(launch, finding);
  if (warp.observers == nullptr) return;
  Tell(*warp.observers, &Observer::OnFinding, FindingEvent{warp, step, finding, lanes});
}

void ReportUnwrittenConstant(const AccessEvent& event, LaneMask lanes, const Allocation& array) {
  const bool known = Reported(event.warp, event.step, FindingKind::kUnwrittenConstant);
  const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
  std::string message;
  if (!known) {
    message = fmt::format(
        "reads {}, but the host has written only the first {} of the {} of {}: the rest is 0, as "
        "when the program started",
        ElementText(*event.warp.launch, event.memory, event.addresses[lane], event.info.bytes),
        Grouped(array.host_end), Counted(array.bytes, "byte"), array.name);
  }
  Report(event.warp, event.step, FindingKind::kUnwrittenConstant, lanes, std::move(message),
         "unless the rest is meant to be 0, copy more bytes: cudaMemcpyToSymbol takes the size in "
         "bytes, which is the number of elements times sizeof(type)",
         "cudaMemcpyToSymbol");
}

void ReportUnwrittenRead(const AccessEvent& event, LaneMask lanes) {
  std::string message;
  if (!Reported(event.warp, event.step, FindingKind::kUninitialisedRead)) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
    message = fmt::format(
        "reads {}, but some of these bytes were never written",
        ElementText(*event.warp.launch, event.memory, event.addresses[lane], event.info.bytes));
  }
  Report(event.warp, event.step, FindingKind::kUninitialisedRead, lanes, std::move(message));
}

}  // namespace warpcheck::emulator
