// Executes moves between registers, and moves of addresses between state spaces (PTX ISA, "Data
// Movement": mov, cvta, isspacep).
#include "emulator/core/launch.h"
#include "emulator/core/memory_region.h"
#include "emulator/decode/decoder.h"
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_types.h"
#include "emulator/memory/device_memory.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

template <class T>
void Move(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const T* a = Lanes<T>(frame, step.a);
  StoreLanes(Lanes<T>(frame, step.d), mask, [=](int i) { return a[i]; });
}

void MovePredicate(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  StorePredicate(frame, step.d, mask, Predicate(frame, step.a) ^ step.flip);
}

// Reads a clock, which is the number of warp instructions that the launch has executed; `shift`
// selects the half. A basic block is counted as a whole when it begins. Therefore step.data, the
// rest of the block, is subtracted.
template <class T, int shift>
void MoveClock(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  if (warp.launch->LeaveToOneThread()) return;
  const T now = static_cast<T>((warp.launch->executed - step.data) >> shift);
  StoreLanes(Lanes<T>(frame, step.d), mask, [=](int) { return now; });
}

// Packs {a, b, ...}, in step.a, b, c and e, into one register. The first element is in the lowest
// bits.
template <class Part, class Whole>
void Pack(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  constexpr int count = sizeof(Whole) / sizeof(Part);
  const Slot slots[] = {step.a, step.b, step.c, step.e};
  Whole* d = Lanes<Whole>(frame, step.d);
  ForEachLane(mask, [&](int i) {
    Whole whole = 0;
    for (int e = count - 1; e >= 0; --e) {
      whole = static_cast<Whole>(whole << (sizeof(Part) * 8 % (sizeof(Whole) * 8)));
      whole = static_cast<Whole>(whole | Lanes<Part>(frame, slots[e])[i]);
    }
    d[i] = whole;
  });
}

template <class Part, class Whole>
void Unpack(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  constexpr int count = sizeof(Whole) / sizeof(Part);
  const Slot slots[] = {step.a, step.b, step.c, step.e};
  const Whole* whole = Lanes<Whole>(frame, step.d);
  ForEachLane(mask, [&](int i) {
    for (int e = 0; e < count; ++e) {
      Lanes<Part>(frame, slots[e])[i] =
          static_cast<Part>(whole[i] >> (static_cast<std::size_t>(e) * sizeof(Part) * 8));
    }
  });
}

bool TakeElements(Operands& operands, Step& step, const ptx::Operand& vector, bool destination,
                  std::uint32_t bytes) {
  Slot* slots[] = {&step.a, &step.b, &step.c, &step.e};
  if (vector.elements.size() > std::size(slots)) return false;
  for (std::size_t e = 0; e < vector.elements.size(); ++e) {
    *slots[e] = destination ? operands.DestinationOf(vector.elements[e], bytes)
                            : operands.SourceOf(vector.elements[e], bytes);
  }
  return true;
}

// Selects the function for `whole` bytes in parts of `part` bytes.
StepFunction OfParts(bool pack, std::uint32_t whole, std::uint32_t part) {
  using U16 = std::uint16_t;
  if (whole == 8 && part == 4) return pack ? Pack<U32, U64> : Unpack<U32, U64>;
  if (whole == 8 && part == 2) return pack ? Pack<U16, U64> : Unpack<U16, U64>;
  if (whole == 4 && part == 2) return pack ? Pack<U16, U32> : Unpack<U16, U32>;
  return nullptr;
}

StepFunction OfClock(ptx::SpecialRegister which) {
  switch (which) {
    case ptx::SpecialRegister::kClock:
    case ptx::SpecialRegister::kGlobaltimerLo:
      return MoveClock<U32, 0>;
    case ptx::SpecialRegister::kClockHi:
    case ptx::SpecialRegister::kGlobaltimerHi:
      return MoveClock<U32, 32>;
    case ptx::SpecialRegister::kClock64:
    case ptx::SpecialRegister::kGlobaltimer:
      return MoveClock<U64, 0>;
    default:
      return nullptr;
  }
}

// Returns how many instructions the basic block has from this instruction on.
U64 InstructionsLeft(Operands& operands, const Step& step) {
  FunctionDecoder& decoder = operands.decoder();
  const CodeBlock& code = decoder.program().blocks[decoder.BlockAt(step.index)];
  return code.first + code.instructions - step.index;
}

// Adds the offset of a window (memory/address_windows.h) to an address, or subtracts it.
template <class T>
void AddWindow(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const T* a = Lanes<T>(frame, step.a);
  const T offset = static_cast<T>(step.data);
  StoreLanes(Lanes<T>(frame, step.d), mask, [=](int i) { return static_cast<T>(a[i] + offset); });
}

// Executes isspacep. step.data is the ptx::Space.
void IsInSpace(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const U64* a = Lanes<U64>(frame, step.a);
  const auto space = static_cast<ptx::Space>(step.data);
  const auto is_inside = [&](U64 address) {
    if (space == ptx::Space::kGeneric) return true;
    if (space == ptx::Space::kShared) return kSharedWindow.Contains(address);
    if (space == ptx::Space::kLocal) return kLocalWindow.Contains(address);
    if (space == ptx::Space::kParam) return kParamWindow.Contains(address);
    const Allocation* allocation = warp.launch->memory->Find(address, 1);
    const bool constant = allocation != nullptr && allocation->kind == AllocationKind::kConstant;
    if (space == ptx::Space::kConst) return constant;
    return !constant && OtherSpaceAt(address) == nullptr;
  };
  LaneMask result = 0;
  ForEachLane(mask, [&](int i) { result |= LaneMask{is_inside(a[i]) ? 1U : 0U} << i; });
  StorePredicate(frame, step.d, mask, result);
}

}  // namespace

StepFunction DecodeMov(Operands& operands, Step& step) {
  if (operands.type() == ptx::Type::kPred) {
    step.d = operands.DestinationPredicate(0);
    step.a = operands.SourcePredicate(1, step.flip);
    return MovePredicate;
  }
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  const bool packs = operands[1].kind == ptx::OperandKind::kVector;
  if (packs || operands[0].kind == ptx::OperandKind::kVector) {
    const ptx::Operand& vector = operands[packs ? 1 : 0];
    const auto part = static_cast<std::uint32_t>(bytes / vector.elements.size());
    step.d = packs ? operands.Destination(0, bytes) : operands.Source(1, bytes);
    const bool fits = TakeElements(operands, step, vector, !packs, part);
    return fits ? OfParts(packs, bytes, part) : nullptr;
  }
  step.d = operands.Destination(0, bytes);
  if (operands[1].kind == ptx::OperandKind::kSpecial) {
    if (const StepFunction clock = OfClock(operands[1].special)) {
      step.data = InstructionsLeft(operands, step);
      return clock;
    }
  }
  step.a = operands.Source(1, bytes);
  return OnBits(operands.type(), []<class T>() { return &Move<T>; });
}

StepFunction DecodeCvta(Operands& operands, Step& step) {
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  step.d = operands.Destination(0, bytes);
  step.a = operands.Source(1, bytes);
  const ptx::Space space = operands.modifiers().space;
  const U64 begin = space == ptx::Space::kShared  ? kSharedWindow.begin
                    : space == ptx::Space::kLocal ? kLocalWindow.begin
                                                  // The generic addresses of this space equal its
                                                  // own addresses.
                                                  : 0;
  step.data = operands.modifiers().to ? U64{0} - begin : begin;
  if (bytes == 8) return step.data == 0 ? Move<U64> : AddWindow<U64>;
  return bytes == 4 ? Move<U32> : nullptr;
}

StepFunction DecodeIsspacep(Operands& operands, Step& step) {
  step.d = operands.DestinationPredicate(0);
  step.a = operands.Source(1, 8);
  step.data = static_cast<U64>(operands.modifiers().space);
  return IsInSpace;
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
