// Executes atomic read-modify-write instructions: atom and red (PTX ISA, "Parallel Synchronization
// and Communication"). The lanes of a warp act one after the other, starting with the lowest.
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <type_traits>

#include "emulator/access/memory_access.h"
#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/decode/access_decoder.h"
#include "emulator/decode/operands.h"
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_float.h"
#include "emulator/lanes/lane_types.h"
#include "emulator/memory/device_memory.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using AddOp = decltype([](auto old, auto b) { return Canonical(old + b); });
// Adds floats. In global memory, subnormal operands and results count as zeros of the same sign.
// Shared memory keeps them, even at generic addresses.
struct AddFlushedOp {
  static float Flushed(float x) {
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
  }
  float operator()(float old, float b) const {
    return Flushed(Canonical(Flushed(old) + Flushed(b)));
  }
};
// Adds f16 or bf16, without flushing. The sum in double is rounded once.
template <class F>
struct ShortAddOp {
  std::uint16_t operator()(std::uint16_t old, std::uint16_t b) const {
    return F::FromDouble(F::ToDouble(old) + F::ToDouble(b));
  }
  std::uint32_t operator()(std::uint32_t old, std::uint32_t b) const {
    const auto half = [&](int shift) {
      return std::uint32_t{(*this)(static_cast<std::uint16_t>(old >> shift),
                                   static_cast<std::uint16_t>(b >> shift))}
             << shift;
    };
    return half(0) | half(16);
  }
};
using U32 = std::uint32_t;
using IncOp = decltype([](U32 old, U32 b) -> U32 { return old >= b ? 0 : old + 1; });
using DecOp = decltype([](U32 old, U32 b) -> U32 { return old == 0 || old > b ? b : old - 1; });
using MinOp = decltype([]<class T>(T old, T b) -> T { return b < old ? b : old; });
using MaxOp = decltype([]<class T>(T old, T b) -> T { return old < b ? b : old; });
using ExchangeOp = decltype([]<class T>(T, T b) -> T { return b; });
using CompareAndSwapOp = decltype([]<class T>(T old, T b, T c) -> T { return old == b ? c : old; });

// Two floats may be equal and have different bytes (0 and -0), or have the same bytes and not be
// equal (NaN). An atomic has changed memory if the bytes differ.
template <class T>
std::array<std::byte, sizeof(T)> BytesOf(const T& value) {
  return std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
}

// Executes an atomic. step.b and step.c are the operands; step.d gets the old value, if step.q says
// that it is needed.
template <class T, class Op>
void ReadModifyWrite(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  LanePlaces at;
  const std::uint64_t moved = warp.launch->moved;
  const LaneMask going = Resolve(frame, step, mask, warp, at);
  const bool in_global = warp.launch->moved != moved;
  bool changed = false;
  const T* b = Lanes<T>(frame, step.b);
  const T* c = Lanes<T>(frame, step.c);
  [[maybe_unused]] const std::uint32_t address_bytes =
      warp.running.program->memory[step.memory].address_bytes;
  T results[kLanes];
  std::memset(static_cast<void*>(results), 0xFF, sizeof results);
  ForEachLane(going, [&](int lane) {
    T old;
    std::memcpy(&old, at[lane], sizeof old);
    T replaced = old;
    if constexpr (std::is_same_v<Op, CompareAndSwapOp>) {
      replaced = Op{}(old, b[lane], c[lane]);
    } else {
      replaced = static_cast<T>(Op{}(old, b[lane]));
    }
    if constexpr (std::is_same_v<Op, AddFlushedOp>) {
      const std::uint64_t address = AddressOf(frame, step, address_bytes, lane);
      if (kSharedWindow.Contains(address)) replaced = AddOp{}(old, b[lane]);
    }
    changed = changed || BytesOf(old) != BytesOf(replaced);
    std::memcpy(at[lane], &replaced, sizeof replaced);
    results[lane] = old;
  });
  if (step.q == 0) return;
  if (in_global && changed) warp.block->drew = true;
  T* d = Lanes<T>(frame, step.d);
  ForEachLane(mask, [&](int lane) { d[lane] = results[lane]; });
}

template <class Op>
StepFunction OfInteger(ptx::Type type) {
  return OnInteger(type, []<class T>() { return &ReadModifyWrite<T, Op>; });
}
template <class Op>
StepFunction OfBits(ptx::Type type) {
  return OnBits(type, []<class T>() { return &ReadModifyWrite<T, Op>; });
}

StepFunction OfAdd(const ptx::Modifiers& modifiers) {
  const ptx::Type type = modifiers.type;
  if (type == ptx::Type::kF16) return ReadModifyWrite<std::uint16_t, ShortAddOp<Half>>;
  if (type == ptx::Type::kF16x2) return ReadModifyWrite<U32, ShortAddOp<Half>>;
  if (type == ptx::Type::kBf16) return ReadModifyWrite<std::uint16_t, ShortAddOp<Brain>>;
  if (type == ptx::Type::kBf16x2) return ReadModifyWrite<U32, ShortAddOp<Brain>>;
  if (type == ptx::Type::kF32 && modifiers.space != ptx::Space::kShared) {
    return ReadModifyWrite<float, AddFlushedOp>;
  }
  const StepFunction real = OnFloat(type, []<class T>() { return &ReadModifyWrite<T, AddOp>; });
  // In two's complement, signed sums have the same bits as unsigned ones, without overflow.
  return real != nullptr ? real : OfBits<std::plus<>>(type);
}

StepFunction FunctionOf(const ptx::Modifiers& modifiers) {
  const ptx::Type type = modifiers.type;
  switch (modifiers.atomic) {
    case ptx::Atomic::kAdd:
      return OfAdd(modifiers);
    case ptx::Atomic::kInc:
      return ReadModifyWrite<U32, IncOp>;
    case ptx::Atomic::kDec:
      return ReadModifyWrite<U32, DecOp>;
    case ptx::Atomic::kMin:
      return OfInteger<MinOp>(type);
    case ptx::Atomic::kMax:
      return OfInteger<MaxOp>(type);
    case ptx::Atomic::kAnd:
      return OfBits<std::bit_and<>>(type);
    case ptx::Atomic::kOr:
      return OfBits<std::bit_or<>>(type);
    case ptx::Atomic::kXor:
      return OfBits<std::bit_xor<>>(type);
    case ptx::Atomic::kExch:
      return OfBits<ExchangeOp>(type);
    case ptx::Atomic::kCas:
      return OfBits<CompareAndSwapOp>(type);
    default:
      return nullptr;
  }
}

// Returns true if lanes with one address execute one after another in shared memory. All atomics
// with a result do (measured). Without a result, shared memory has instructions only for 32-bit
// integers. For floats of any width, and for 64 bits, ptxas (13.0, sm_90) writes a loop of
// compare-and-swap, in which one lane after the other succeeds.
bool TakesTurns(const ptx::Modifiers& modifiers, bool with_result) {
  if (with_result) return true;
  if (modifiers.atomic == ptx::Atomic::kExch || modifiers.atomic == ptx::Atomic::kCas) return false;
  const ptx::Type type = modifiers.type;
  const bool integer =
      type == ptx::Type::kB32 || type == ptx::Type::kU32 || type == ptx::Type::kS32;
  return !integer;
}

// Decodes an atomic. `memory` is the index of its memory operand; the values follow it.
StepFunction Decode(Operands& operands, Step& step, std::size_t memory, bool with_result) {
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  MemoryInfo& info =
      DecodeAccess(operands, step, memory, bytes,
                   with_result ? MemoryInfo::Kind::kAtomic : MemoryInfo::Kind::kReduction);
  info.takes_turns = TakesTurns(operands.modifiers(), with_result);
  step.b = operands.Source(memory + 1, bytes);
  step.c = operands.size() > memory + 2 ? operands.Source(memory + 2, bytes) : step.b;
  step.q = with_result ? 1 : 0;
  return FunctionOf(operands.modifiers());
}

}  // namespace

StepFunction DecodeAtom(Operands& operands, Step& step) {
  step.d = operands.Destination(0, ptx::Bytes(operands.type()));
  return Decode(operands, step, 1, operands.Wanted(0));
}

StepFunction DecodeRed(Operands& operands, Step& step) { return Decode(operands, step, 0, false); }

}  // namespace warpcheck::emulator::WARPCHECK_ISA
