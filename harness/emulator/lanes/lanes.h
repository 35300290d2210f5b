// Turns a function of one lane into a step of a warp. lane_types.h selects the function by type.
// The files lane_*.h have the arithmetic on one lane, which is as exact as the PTX ISA requires, or
// as measured on an H200. It consists of plain functions, which tests call without a warp. These
// headers are compiled twice, as instructions/ is (CMakeLists.txt).
//
// The function may be called for lanes that are not in the mask, so it must be defined for every
// input. The *Each forms call it only for lanes of the mask, which slow or partial functions need.
//
// A destination is the same register as a source or a different one, and never overlaps it partly:
// "ivdep" promises this to the compiler.
#pragma once

#include <cstdint>

#include "emulator/code/step.h"
#include "ptx/types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

template <class D, class Value>
[[gnu::always_inline]] inline void StoreLanes(D* d, LaneMask mask, Value value) {
  if (mask == kAllLanes) [[likely]] {
#pragma GCC ivdep
    for (int i = 0; i < kLanes; ++i) d[i] = static_cast<D>(value(i));
  } else {
#pragma GCC ivdep
    for (int i = 0; i < kLanes; ++i) {
      const D result = static_cast<D>(value(i));
      d[i] = ((mask >> i) & 1U) != 0 ? result : d[i];
    }
  }
}

template <class Value>
[[gnu::always_inline]] inline void ForEachLane(LaneMask mask, Value value) {
  for (; mask != 0; mask &= mask - 1) value(std::countr_zero(mask));
}

// Makes a function the Op argument of the templates below.
template <auto function>
struct FunctionOp {
  auto operator()(auto... values) const { return function(values...); }
};

// D, A, B and C are the types of the slots' values, for example std::uint32_t or float.
template <class D, class A, class Op>
void Unary(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const A* a = Lanes<A>(frame, step.a);
  StoreLanes(Lanes<D>(frame, step.d), mask, [=](int i) { return Op{}(a[i]); });
}

template <class D, class A, class B, class Op>
void Binary(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const A* a = Lanes<A>(frame, step.a);
  const B* b = Lanes<B>(frame, step.b);
  StoreLanes(Lanes<D>(frame, step.d), mask, [=](int i) { return Op{}(a[i], b[i]); });
}

template <class D, class A, class B, class C, class Op>
void Ternary(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const A* a = Lanes<A>(frame, step.a);
  const B* b = Lanes<B>(frame, step.b);
  const C* c = Lanes<C>(frame, step.c);
  StoreLanes(Lanes<D>(frame, step.d), mask, [=](int i) { return Op{}(a[i], b[i], c[i]); });
}

template <class D, class A, class Op>
void UnaryEach(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  D* d = Lanes<D>(frame, step.d);
  const A* a = Lanes<A>(frame, step.a);
  ForEachLane(mask, [=](int i) { d[i] = Op{}(a[i]); });
}

// Returns the lanes for which `test(lane)` is true, for any mask.
template <class Test>
[[gnu::always_inline]] inline LaneMask LanesWhere(Test test) {
  LaneMask result = 0;
  for (int i = 0; i < kLanes; ++i) result |= LaneMask{test(i) ? 1U : 0U} << i;
  return result;
}

// Stores `bits` in the lanes of `mask` of a predicate, and leaves the other lanes unchanged.
[[gnu::always_inline]] inline void StorePredicate(std::byte* frame, Slot slot, LaneMask mask,
                                                  LaneMask bits) {
  LaneMask& predicate = Predicate(frame, slot);
  predicate = (predicate & ~mask) | (bits & mask);
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
