// Matchers for what the kernels of a call cost, by the counters of docs/counters.md, all launches
// together: EXPECT_THAT(CallOnce(), GlobalTrafficWithin(1.01)). A call that launched nothing, or
// that did not return, matches none of them; a counter that was not measured makes the case
// kNotMeasured.
//
// Those that end in Within bound the work of a call: nobody meets such a target by doing more. The
// others look at single accesses. `warpcheck validate` objects where a criterion rests on these
// alone, since accesses that are perfect by themselves improve them.
#pragma once

#include <gmock/gmock.h>

#include <optional>
#include <ostream>
#include <string_view>
#include <utility>

#include "checks/measure.h"
#include "trial/trial.h"

namespace warpcheck {

// What a call needs at least, of a measure's quantity, and what for.
struct Needed {
  // `what_for`: how a report goes on behind "the 1,024 needed": "to load each cell once". A
  // literal.
  Needed(double amount, std::string_view reason = {})  // NOLINT(google-explicit-constructor)
      : quantity(amount), what_for(reason) {}

  double quantity = 0;
  std::string_view what_for;
};
using Need = Needed (*)(const Trial& trial);

class CounterMatcher {
 public:
  using is_gtest_matcher = void;

  // A bound on work: at most `times` what `need` says of the trial.
  CounterMatcher(Measure measure, double times, Need need)
      : measure_(std::move(measure)), times_(times), need_(need) {}
  // The same of `needed`; without it, at most `times` itself.
  CounterMatcher(Measure measure, double times, std::optional<Needed> needed)
      : measure_(std::move(measure)), times_(times), needed_(needed) {}
  // Any target.
  CounterMatcher(Measure measure, testing::Matcher<double> target)
      : measure_(std::move(measure)), target_(std::move(target)) {}

  bool MatchAndExplain(const Trial& trial, testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* out) const;
  void DescribeNegationTo(std::ostream* out) const;

 private:
  Measure measure_;
  double times_ = 0;
  std::optional<Needed> needed_;
  Need need_ = nullptr;
  std::optional<testing::Matcher<double>> target_;
};

// Sectors that hold the arrays of the call, each array once.
Needed SectorsOfArrays(const Trial& trial);
// The same of those that are no inputs.
Needed SectorsOfOutputs(const Trial& trial);

// Sectors of global memory that loads, stores and atomics move, at most `times` those that hold the
// arrays of the call: as if each input were read once, each output written once.
inline CounterMatcher GlobalTrafficWithin(double times) {
  return {kGlobalTraffic, times, &SectorsOfArrays};
}

// The same against `needed` sectors, for data that has to move more often.
inline CounterMatcher GlobalTrafficWithin(double times, Needed needed) {
  return {kGlobalTraffic, times, needed};
}

// Sectors of loads and atomics alone: an atomic, too, can fetch what is there.
inline CounterMatcher GlobalLoadsWithin(double times, Needed needed) {
  return {kGlobalLoads, times, needed};
}

// Sectors of stores and atomics alone, against those that hold the outputs.
inline CounterMatcher GlobalStoresWithin(double times) {
  return {kGlobalStores, times, &SectorsOfOutputs};
}

inline CounterMatcher GlobalStoresWithin(double times, Needed needed) {
  return {kGlobalStores, times, needed};
}

// Bytes that lanes store to global memory or update there by atomics, each lane's counted: of lanes
// that update one address a sector alone is moved, but they wait for each other.
inline CounterMatcher StoredBytesWithin(double times, Needed needed) {
  return {kStoredBytes, times, needed};
}

// Wavefronts of shared memory (a pass of up to 128 bytes, from 32 banks), at most `times` the
// `needed` ones. A bank conflict costs a wavefront for each way beyond the first.
inline CounterMatcher SharedTrafficWithin(double times, Needed needed) {
  return {kSharedTraffic, times, needed};
}

// Lanes that take no part in an access of their warp to global or shared memory, over all accesses:
// at most `times` the number of elements, or whatever else `of` counts.
inline CounterMatcher IdleLanesWithin(double times, Needed of) { return {kIdleLanes, times, of}; }

// Any counter: at most `most`.
inline CounterMatcher CounterWithin(Counter counter, double most) {
  return {CounterMeasure(counter), most, std::nullopt};
}

// global_sectors_ideal / global_sectors; 1.0 is perfect. Of single accesses: for use beside a
// bound.
template <class M>
CounterMatcher Coalescing(const M& target) {
  return {kCoalescing, testing::SafeMatcherCast<double>(target)};
}

// shared_wavefronts - shared_wavefronts_ideal. Of single accesses: for use beside a bound.
template <class M>
CounterMatcher ExcessiveWavefronts(const M& target) {
  return {kExcessiveWavefronts, testing::SafeMatcherCast<double>(target)};
}

// No kernel of the call moves anything to local memory or from it: neither values that its
// registers do not hold, which the emulator knows from ptxas, nor arrays.
inline CounterMatcher SpillsNothing() { return {kLocalMemory, 0, std::nullopt}; }

}  // namespace warpcheck
