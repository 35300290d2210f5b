#include "emulator/access/wrong_access.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <string_view>

#include "base/text.h"
#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/core/memory_region.h"
#include "emulator/record/array_text.h"
#include "emulator/record/findings.h"
#include "emulator/record/index/guard_text.h"
#include "emulator/record/index/index_formula.h"
#include "emulator/record/size_text.h"

namespace warpcheck::emulator {
namespace {

using Kind = MemoryInfo::Kind;

// The cost of a wrong access, in warp instructions of the budget, in addition to looking it up.
constexpr std::uint64_t kWrongAccessCost = 28;

constexpr std::uint64_t kNullPage = 1 << 16;

constexpr const char* kFarHint =
    "look at how the index is computed. An index so far outside the array is often an int that has "
    "overflowed, or a negative number in an unsigned type. It can also be a variable that was "
    "never set, a value that was itself read out of bounds, or a number of bytes instead of "
    "elements";

// A range of addresses, [begin, end], at which accesses make the same mistake.
struct Mistake {
  FindingKind kind = FindingKind::kIllegalAddress;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  // The launch ends with this error, unless it is kSuccess.
  DeviceError error = DeviceError::kSuccess;
};

std::string_view Verb(Kind kind) {
  return kind == Kind::kLoad ? "reads" : kind == Kind::kStore ? "writes" : "updates";
}

// Returns, for example, "reads 4 bytes".
std::string What(const MemoryInfo& info) {
  return fmt::format("{} {}", Verb(info.kind), Counted(info.bytes, "byte"));
}

void TakeFromBudget(Launch& launch) {
  *launch.budget -= std::min(*launch.budget, kWrongAccessCost);
}

// Reports a mistake. `text` makes the message; it is called only for the first finding of its kind
// at a place.
template <class Text>
void ReportOnce(Warp& warp, const Step& step, FindingKind kind, LaneMask lanes, Text text) {
  Report(warp, step, kind, lanes, Reported(warp, step, kind) ? std::string() : text());
}

// If an access lies at most this many bytes before a window of generic addresses, it counts as an
// access to that window's memory.
constexpr std::uint64_t kBeforeWindow = 1 << 20;

// Returns true if an address outside every region belongs to `space`, judging by the instruction or
// by the address.
bool IsOf(ptx::Space space, const Window& window, const MemoryInfo& info, std::uint64_t where) {
  const bool near = where < window.end && where + kBeforeWindow >= window.begin;
  return info.space == space || (info.space != ptx::Space::kGlobal && near);
}
bool IsShared(const MemoryInfo& info, std::uint64_t where) {
  return IsOf(ptx::Space::kShared, kSharedWindow, info, where);
}
bool IsLocal(const MemoryInfo& info, std::uint64_t where) {
  return IsOf(ptx::Space::kLocal, kLocalWindow, info, where);
}

// Returns the offset of an address from the beginning of its space or of its window; it may be
// negative. In the space itself, a negative offset appears as an address of 32 or 64 bits that has
// wrapped around.
std::int64_t OffsetIn(ptx::Space space, const Window& window, const MemoryInfo& info,
                      std::uint64_t where) {
  if (info.space != space) return static_cast<std::int64_t>(where - window.begin);
  return where <= std::numeric_limits<std::uint32_t>::max()
             ? static_cast<std::int32_t>(static_cast<std::uint32_t>(where))
             : static_cast<std::int64_t>(where);
}

// Returns the first address at which accesses of the instruction's width reach beyond `end`.
std::uint64_t FirstBeyond(std::uint64_t begin, std::uint64_t end, const MemoryInfo& info) {
  return end - begin < info.bytes ? begin : end - info.bytes + 1;
}

// Returns the mistake of an access beyond the `bytes` bytes of memory at the beginning of a space.
Mistake BeyondEnd(FindingKind kind, ptx::Space space, const Window& window, const MemoryInfo& info,
                  std::uint64_t bytes) {
  if (info.space == space) {
    return {kind, FirstBeyond(0, bytes, info), std::numeric_limits<std::uint64_t>::max()};
  }
  return {kind, FirstBeyond(window.begin, window.begin + bytes, info), window.end - 1};
}

Mistake InOrBeforeWindow(FindingKind kind, ptx::Space space, const Window& window,
                         const MemoryInfo& info, std::uint64_t bytes, std::uint64_t where) {
  if (info.space != space && where < window.begin) {
    return {kind, window.begin - kBeforeWindow, window.begin - 1};
  }
  return BeyondEnd(kind, space, window, info, bytes);
}

// Returns the mistake of an access in the window of device memory that lies outside every
// allocation.
Mistake MistakeInHeap(const Launch& launch, const MemoryInfo& info, std::uint64_t where) {
  const Allocation* nearest = launch.memory->Nearest(where);
  // A GPU maps no memory at addresses so far from every allocation.
  if (nearest == nullptr || nearest->Distance(where) > DeviceMemory::kGap) {
    return {FindingKind::kIllegalAddress, where, where, DeviceError::kIllegalAddress};
  }
  if (nearest->host == nullptr && where >= nearest->begin && where < nearest->end()) {
    return {FindingKind::kUseAfterFree, nearest->begin, nearest->end() - 1};
  }
  const FindingKind kind =
      info.kind == Kind::kLoad ? FindingKind::kOutOfBoundsRead : FindingKind::kOutOfBoundsWrite;
  // Allocations lie at least kGap apart.
  return where < nearest->begin
             ? Mistake{kind, nearest->begin - DeviceMemory::kGap, nearest->begin - 1}
             : Mistake{kind, FirstBeyond(nearest->begin, nearest->end(), info),
                       nearest->end() + DeviceMemory::kGap - 1};
}

Mistake MistakeAt(const Warp& warp, const MemoryInfo& info, std::uint64_t where) {
  if (IsShared(info, where)) {
    return InOrBeforeWindow(FindingKind::kSharedOutOfBounds, ptx::Space::kShared, kSharedWindow,
                            info, warp.launch->shared_bytes, where);
  }
  if (IsLocal(info, where)) {
    return InOrBeforeWindow(FindingKind::kLocalOutOfBounds, ptx::Space::kLocal, kLocalWindow, info,
                            warp.local_stride, where);
  }
  if (kHeapWindow.Contains(where)) return MistakeInHeap(*warp.launch, info, where);
  return {FindingKind::kIllegalAddress, where, where, DeviceError::kIllegalAddress};
}

// Returns what an address in the space of shared or local memory looks like instead.
std::string_view TakenFor(const MemoryInfo& info, std::uint64_t where) {
  const bool own = info.space == ptx::Space::kShared || info.space == ptx::Space::kLocal;
  const bool wrapped = where > ~std::uint64_t{0} - kBeforeWindow;
  if (!own || where < kHeapWindow.begin || wrapped) return {};
  if (kHeapWindow.Contains(where)) {
    return info.space == ptx::Space::kShared
               ? "an address of global memory, but the instruction needs shared memory"
               : "an address of global memory, but the instruction needs local memory";
  }
  return "a generic address, but the instruction needs one of its own memory";
}

std::string IllegalText(const MemoryInfo& info, std::uint64_t where) {
  // The message does not contain a host address, because that differs from run to run and reports
  // must not.
  if (const char* other = OtherSpaceAt(where)) {
    return fmt::format(
        "{} through an address of {} memory, but the instruction needs global "
        "memory",
        What(info), other);
  }
  if (where < kNullPage) return fmt::format("{} at {:#x}, near a null pointer", What(info), where);
  if (where < kHeapWindow.begin) {
    return What(info) + " through a pointer to memory of the host, which a kernel cannot use";
  }
  return fmt::format("{} at {:#x}, which is not an address of any memory", What(info), where);
}

// Returns a text such as "at byte 64" or "12 bytes before the start".
std::string ByteText(std::int64_t offset, std::string_view memory) {
  return offset < 0 ? fmt::format("{} before the start of {} memory",
                                  Counted(static_cast<std::uint64_t>(-offset), "byte"), memory)
                    : fmt::format("at byte {} of {} memory", offset, memory);
}

// Returns a description of an access at `offset` of the block's shared memory.
std::string SharedText(const Warp& warp, const MemoryInfo& info, std::int64_t offset) {
  const std::uint64_t block_bytes = warp.launch->shared_bytes;
  const std::vector<SharedVariable>& variables = warp.launch->kernel->shared_variables;
  const bool known = info.shared != SharedRange{};
  if (!known && variables.size() != 1) {
    return fmt::format("{} {}, and the block has {}", What(info), ByteText(offset, "shared"),
                       Counted(block_bytes, "byte"));
  }
  const SharedRange& allowed = known ? info.shared : variables.front().range;
  return fmt::format("{}, {}", What(info),
                     DescribeShared(variables, allowed, offset, info.bytes, block_bytes));
}

// Returns the array that an access outside of it was meant for: the array that the code tells, or
// the nearest one. Returns null if the address cannot be an index of any array.
const Allocation* ArrayAt(const Warp& warp, const MemoryInfo& info, std::uint64_t where) {
  if (IsShared(info, where) || IsLocal(info, where) || OtherSpaceAt(where) != nullptr) {
    return nullptr;
  }
  const Allocation* meant = MeantArray(*warp.launch, *warp.running.program, info.instruction);
  if (meant != nullptr) return meant;
  return kHeapWindow.Contains(where) ? warp.launch->memory->Nearest(where) : nullptr;
}

// Returns a description of an access. `array` is the result of ArrayAt.
std::string TextOf(const Warp& warp, const MemoryInfo& info, std::uint64_t where,
                   const Allocation* array) {
  const bool shared = IsShared(info, where);
  const bool local = IsLocal(info, where);
  if (shared || local) {
    const std::string_view taken = TakenFor(info, where);
    if (!taken.empty()) return fmt::format("{} at {:#x}, {}", What(info), where, taken);
  }
  if (shared) {
    return SharedText(warp, info, OffsetIn(ptx::Space::kShared, kSharedWindow, info, where));
  }
  if (local) {
    const std::int64_t offset = OffsetIn(ptx::Space::kLocal, kLocalWindow, info, where);
    return fmt::format("{} {}, and the thread has {}", What(info), ByteText(offset, "local"),
                       Counted(warp.local_stride, "byte"));
  }
  if (array != nullptr) {
    return fmt::format("{} {}", Verb(info.kind),
                       OutsideText(*warp.launch, *array, where, info.bytes));
  }
  if (kHeapWindow.Contains(where)) return What(info) + " where nothing is allocated";
  return IllegalText(info, where);
}

// Records in Launch::shared_end where the lanes' accesses end.
void NoteSharedEnd(Warp& warp, const MemoryInfo& info, LaneMask lanes,
                   const LaneAddresses& addresses) {
  const std::uint64_t begin = info.space == ptx::Space::kShared ? 0 : kSharedWindow.begin;
  EachLane(lanes, [&](std::size_t lane) {
    if (!IsShared(info, addresses[lane]) || addresses[lane] < begin) return;
    const std::uint64_t end = addresses[lane] - begin + info.bytes;
    warp.launch->shared_end = std::max(warp.launch->shared_end, end);
  });
}

// Advice says what to do about a mistake.
struct Advice {
  std::string hint;       // empty if only the kind of the mistake tells what to do
  std::string call = {};  // as in Finding
};

// Returns what to do about an index outside of `array`. The text is empty if no condition decides
// whether the access is made: then the hint of the kind, which asks for one, applies.
std::string IndexAdvice(const Warp& warp, const MemoryInfo& info, std::uint64_t where,
                        std::size_t lane, const Allocation& array) {
  const Launch& launch = *warp.launch;
  const Program& program = *warp.running.program;
  std::string hint = GuardHint(launch, program, info.instruction, array, info.bytes);
  if (!hint.empty()) return hint;
  const auto formula = IndexFormulaOf(launch, array,
                                      {.program = &program,
                                       .instruction = info.instruction,
                                       .block = warp.block->index,
                                       .thread = ThreadIndex(launch, warp, static_cast<int>(lane)),
                                       .where = where,
                                       .bytes = info.bytes});
  if (formula) hint = WrongIndexText(array, *formula);
  const std::vector<int> lines = GuardLines(launch, program, info.instruction);
  // More conditions than these are no guard that a reader would look for.
  constexpr std::size_t kMostLines = 2;
  const bool named = !lines.empty() && lines.size() <= kMostLines;
  const std::string condition = fmt::format(
      "the condition{} {} {} this thread through", lines.size() == 1 ? " in line" : "s in lines",
      fmt::join(lines, " and "), lines.size() == 1 ? "lets" : "let");
  if (!hint.empty()) {
    if (!named || HasOtherRows(array, *formula)) return hint;
    return fmt::format(
        "{}; {}: look whether this number is compared there, and whether it must be "
        "less (<)",
        hint, condition);
  }
  if (where < array.begin) {
    hint =
        "the index is negative: ask whether it is at least 0 before the access, and do at the "
        "edge what the task says";
  } else if (!lines.empty() && IsOwn(array)) {
    const std::string room = Counted(array.bytes / info.bytes, "element");
    hint = fmt::format(
        "the allocation of {} has room for {} of {}, so the index must be less. If it should have "
        "room for more, ask cudaMalloc for more bytes: the number of elements times sizeof(type)",
        Counted(array.bytes, "byte"), room, Counted(info.bytes, "byte"));
  } else if (!lines.empty() && array.extents.size() == 2) {
    hint = fmt::format(
        "what the index uses as the row must be less than {}, the number of rows, and what it uses "
        "as the column less than {}",
        Grouped(array.extents[0]), Grouped(array.extents[1]));
  } else if (named) {
    return fmt::format("{}: {} or the index is wrong", condition,
                       lines.size() == 1 ? "it" : "one of them");
  }
  if (hint.empty() || !named) return hint;
  return fmt::format("{}: {}", condition, hint);
}

Advice AdviceFor(const Warp& warp, const MemoryInfo& info, std::uint64_t where, std::size_t lane,
                 const Mistake& mistake, const Allocation* array) {
  if (mistake.kind == FindingKind::kIllegalAddress && array != nullptr) return {kFarHint};
  if (mistake.kind == FindingKind::kIllegalAddress && where < kNullPage) {
    return {
        "pass the kernel a pointer that an allocation returned: look at what cudaMalloc or malloc "
        "returned, and at the order of the arguments"};
  }
  const bool outside = mistake.kind == FindingKind::kOutOfBoundsRead ||
                       mistake.kind == FindingKind::kOutOfBoundsWrite;
  if (!outside || array == nullptr) return {};
  std::string of_size = AllocationHint(*warp.launch, *array, where, info.bytes);
  if (!of_size.empty()) return {std::move(of_size), "cudaMalloc"};
  return {IndexAdvice(warp, info, where, lane, *array), IsOwn(*array) ? "cudaMalloc" : ""};
}

}  // namespace

LaneMask ReportOutside(Warp& warp, const Step& step, const MemoryInfo& info, LaneMask open,
                       const LaneAddresses& addresses) {
  const auto lane = static_cast<std::size_t>(std::countr_zero(open));
  const std::uint64_t where = addresses[lane];
  const Mistake mistake = MistakeAt(warp, info, where);
  const LaneMask first = open & (~open + 1);
  LaneMask lanes = first;
  EachLane(open, [&](std::size_t other) {
    const bool same = addresses[other] >= mistake.begin && addresses[other] <= mistake.end;
    if (same) lanes |= LaneMask{1} << other;
  });
  TakeFromBudget(*warp.launch);
  if (mistake.kind == FindingKind::kSharedOutOfBounds) NoteSharedEnd(warp, info, open, addresses);
  // A mistake that ends the launch is reported only for the first lane.
  const LaneMask told = mistake.error == DeviceError::kSuccess ? lanes : first;
  if (Reported(warp, step, mistake.kind)) {
    Report(warp, step, mistake.kind, told, {});
  } else {
    const Allocation* array = ArrayAt(warp, info, where);
    Advice advice = AdviceFor(warp, info, where, lane, mistake, array);
    Report(warp, step, mistake.kind, told, TextOf(warp, info, where, array), std::move(advice.hint),
           std::move(advice.call));
  }
  if (mistake.error != DeviceError::kSuccess) warp.launch->Stop(mistake.error);
  return lanes;
}

void ReportBeyondVariable(Warp& warp, const Step& step, const MemoryInfo& info, LaneMask lanes,
                          std::uint64_t offset) {
  TakeFromBudget(*warp.launch);
  ReportOnce(warp, step, FindingKind::kSharedOutOfBounds, lanes,
             [&] { return SharedText(warp, info, static_cast<std::int64_t>(offset)); });
}

void ReportReadOnly(Warp& warp, const Step& step, const MemoryInfo& info, LaneMask lanes,
                    const LaneAddresses& addresses) {
  TakeFromBudget(*warp.launch);
  ReportOnce(warp, step, FindingKind::kWriteToConstant, lanes, [&] {
    const std::uint64_t where = addresses[static_cast<std::size_t>(std::countr_zero(lanes))];
    return fmt::format("{} {}, which is constant memory", Verb(info.kind),
                       ElementText(*warp.launch, MemoryKind::kConstant, where, info.bytes));
  });
}

void ReportMisaligned(Warp& warp, const Step& step, const MemoryInfo& info, LaneMask lanes,
                      const LaneAddresses& addresses) {
  ReportOnce(warp, step, FindingKind::kMisaligned, lanes, [&] {
    const std::uint64_t where = addresses[static_cast<std::size_t>(std::countr_zero(lanes))];
    if (warp.launch->memory->Find(where, 1) == nullptr) {
      return fmt::format("{} at {:#x}, which is not a multiple of {}", What(info), where,
                         info.bytes);
    }
    return fmt::format("{} at {}, whose address is not a multiple of {}", What(info),
                       ElementText(*warp.launch, MemoryKind::kGlobal, where, info.bytes),
                       info.bytes);
  });
  warp.launch->Stop(DeviceError::kMisalignedAddress);
}

}  // namespace warpcheck::emulator
