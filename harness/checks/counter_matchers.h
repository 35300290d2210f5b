// Matchers for what the kernels of a call cost, by the counters of docs/counters.md:
// EXPECT_THAT(CallOnce(), Coalescing(Ge(0.99))). A call that launched nothing, or that did not
// return, matches none of them; a counter that was not measured makes the case kNotMeasured.
#pragma once

#include <gmock/gmock.h>

#include <ostream>
#include <utility>

#include "checks/measure.h"
#include "checks/trial.h"

namespace warpcheck {

class CounterMatcher {
 public:
  using is_gtest_matcher = void;

  CounterMatcher(Measure measure, testing::Matcher<double> target)
      : measure_(std::move(measure)), target_(std::move(target)) {}

  bool MatchAndExplain(const Trial& trial, testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* out) const;
  void DescribeNegationTo(std::ostream* out) const;

 private:
  Measure measure_;
  testing::Matcher<double> target_;
};

// global_sectors_ideal / global_sectors of every launch and every line; 1.0 is perfect.
template <class M>
CounterMatcher Coalescing(const M& target) {
  return {CoalescingMeasure(), testing::SafeMatcherCast<double>(target)};
}

// The same of every launch as a whole: where some lines cannot do better, as those that load the
// columns of a halo.
template <class M>
CounterMatcher CoalescingOfLaunches(const M& target) {
  return {LaunchCoalescingMeasure(), testing::SafeMatcherCast<double>(target)};
}

// Sectors an executed load or store of global memory; 4.0 is perfect for 4-byte words.
template <class M>
CounterMatcher SectorsPerRequest(const M& target) {
  return {SectorsPerRequestMeasure(), testing::SafeMatcherCast<double>(target)};
}

// shared_wavefronts - shared_wavefronts_ideal of every launch; 0 is free of bank conflicts.
template <class M>
CounterMatcher ExcessiveWavefronts(const M& target) {
  return {ExcessiveWavefrontsMeasure(), testing::SafeMatcherCast<double>(target)};
}

// Sectors that global loads touch, summed over all launches of the call: data that is loaded again
// by another request counts again. An atomic counts as the load of a whole warp.
template <class M>
CounterMatcher GlobalLoadSectors(const M& target) {
  return {GlobalLoadSectorsMeasure(), testing::SafeMatcherCast<double>(target)};
}

// Bytes that lanes load from global memory, summed over all launches of the call: each lane's
// count, so that an element counts as often as it is loaded. An atomic counts as the loads of a
// whole warp.
template <class M>
CounterMatcher GlobalLoadBytes(const M& target) {
  return {GlobalLoadBytesMeasure(), testing::SafeMatcherCast<double>(target)};
}

// The share of a warp's lanes that take part in an access to global or shared memory, over all
// accesses of all launches of the call: 1.0 is perfect. Accesses alone, because a lane that skips a
// short `if` executes it on a GPU, with its predicate off, but not in PTX.
template <class M>
CounterMatcher ActiveLanes(const M& target) {
  return {ActiveLanesMeasure(), testing::SafeMatcherCast<double>(target)};
}

// Sectors that global stores touch, and atomics, summed over all launches of the call: a result
// that is stored again counts again.
template <class M>
CounterMatcher GlobalStoreSectors(const M& target) {
  return {GlobalStoreSectorsMeasure(), testing::SafeMatcherCast<double>(target)};
}

// No kernel of the call moves anything to local memory or from it: neither values that its
// registers do not hold, which the emulator knows from ptxas, nor arrays.
inline CounterMatcher SpillsNothing() {
  return {LocalMemoryMeasure(), testing::SafeMatcherCast<double>(testing::Eq(0))};
}

// Any counter, summed over all launches of the call.
template <class M>
CounterMatcher CounterThat(Counter counter, const M& target) {
  return {CounterMeasure(counter), testing::SafeMatcherCast<double>(target)};
}

}  // namespace warpcheck
