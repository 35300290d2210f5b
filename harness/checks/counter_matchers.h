// These matchers judge what the kernels of a call cost, by the counters of docs/counters.md, added
// up over all launches: EXPECT_THAT(CallOnce(), GlobalTrafficWithin(1.01)). A call that launched
// nothing, or that did not return, never matches. If a counter was not measured, the case is
// kNotMeasured.
//
// A matcher whose name ends in Within bounds the work of a call: more work never helps to meet it.
// The others judge single accesses, so that additional perfect accesses improve their value.
// Therefore `warpcheck validate` reports a criterion that depends on these alone.
#pragma once

#include <gmock/gmock.h>

#include <concepts>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/array_traffic.h"
#include "checks/measure.h"
#include "trial/case_log.h"
#include "trial/trial.h"

namespace warpcheck {

// Needed is the least amount of a measure's quantity that a call needs, with the reason.
struct Needed {
  // `reason` completes "the 1,024 needed ..." in reports: "to load each cell once". It must be a
  // string literal.
  Needed(double amount, std::string_view reason = {})  // NOLINT(google-explicit-constructor)
      : quantity(amount), what_for(reason) {}

  double quantity = 0;
  std::string_view what_for;
};
using Need = Needed (*)(const Trial& trial);

class CounterMatcher {
 public:
  using is_gtest_matcher = void;

  // Bounds work: at most `times` the amount that need(trial) returns.
  CounterMatcher(Measure measure, double times, Need need)
      : measure_(measure), times_(times), need_(need) {}
  // Bounds work: at most `times` the amount `needed`, or at most `times` if there is no such
  // amount.
  CounterMatcher(Measure measure, double times, std::optional<Needed> needed)
      : measure_(measure), times_(times), needed_(needed) {}
  // Sets any target on the measure.
  CounterMatcher(Measure measure, testing::Matcher<double> target)
      : measure_(measure), target_(std::move(target)) {}

  bool MatchAndExplain(const Trial& trial, testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* out) const;
  void DescribeNegationTo(std::ostream* out) const;

  // Returns a matcher whose target is set on the ratio to what the reference counts in the same
  // call.
  CounterMatcher OfReference() && {
    relative_ = true;
    return std::move(*this);
  }

  // Returns a matcher that does not count copies of the host within the device. The others count
  // them: such a copy moves sectors of global memory as a kernel does.
  CounterMatcher WithoutCopies() const {
    CounterMatcher without = *this;
    without.counts_copies_ = false;
    return without;
  }

  // Returns a matcher whose failures have this hint instead of their own.
  CounterMatcher WithHint(std::string hint) const {
    CounterMatcher hinted = *this;
    hinted.hint_ = std::move(hint);
    return hinted;
  }

 protected:
  // Leaves out the other arrays of the call.
  void Select(ArrayNames arrays) { arrays_ = std::move(arrays); }
  // Allows this many times the amount needed if the call wastes nearly nothing (Measure::waste).
  void AllowWithoutWaste(double times) { times_without_waste_ = times; }

 private:
  // Returns the name of the measure, with the selected arrays.
  std::string Name() const;
  // Returns what the target needs in this trial; nullopt if it has no such amount.
  std::optional<Needed> NeededIn(const Trial& trial) const;
  // Returns the count of the reference in this call. Notes the comparison for `warpcheck validate`.
  std::optional<double> ReferenceIn(const Trial& trial) const;
  // Returns why there is no ratio to the reference; empty if there is one.
  std::vector<CaseFailure> WhyNotCompared(const Trial& trial,
                                          const std::optional<double>& reference) const;
  // Returns a fault of the checks if they select arrays that the call does not have.
  std::vector<CaseFailure> WhyNotSelected(const Trial& trial) const;

  Measure measure_;
  double times_ = 0;
  double times_without_waste_ = 0;  // 0 if waste makes no difference
  std::optional<Needed> needed_;
  Need need_ = nullptr;
  std::optional<testing::Matcher<double>> target_;
  ArrayNames arrays_;  // empty for all of global memory
  std::string hint_;   // empty for the hint of the measure
  bool relative_ = false;
  bool counts_copies_ = true;
};

// This matcher judges global memory, of which it can select arrays.
class GlobalMatcher : public CounterMatcher {
 public:
  using CounterMatcher::CounterMatcher;

  // Returns a matcher that counts accesses to some arrays of the call:
  // GlobalLoadsWithin(1.1, {...}).Of("text"). Arrays are named as the parameters in the header of
  // the assignment. Loads from other memory count too if it may hold bytes of these arrays, be it
  // another array of the call or memory of the program itself (provenance/byte_moves.h). Only the
  // emulator counts arrays apart.
  template <std::convertible_to<std::string>... Names>
  GlobalMatcher Of(const Names&... parameters) const {
    GlobalMatcher selected = *this;
    selected.Select({parameters...});
    return selected;
  }
};

// This matcher judges shared memory, where a call that wastes nothing may have a larger bound.
class SharedMatcher : public CounterMatcher {
 public:
  using CounterMatcher::CounterMatcher;

  // Returns a matcher that also allows `times` the needed wavefronts, if bank conflicts and idle
  // lanes waste at most a twentieth of the needed ones. So blocks beyond the last row or column,
  // which fill their tiles with zeros, are not judged as bank conflicts. Idle lanes are waste too:
  // otherwise half a warp at a time would avoid a conflict without saving a wavefront. Example:
  //   SharedTrafficWithin(1.1, {...}).OrWithoutWaste(2.25)
  SharedMatcher OrWithoutWaste(double times) const {
    SharedMatcher wider = *this;
    wider.AllowWithoutWaste(times);
    return wider;
  }
};

// Returns the number of sectors that hold the arrays of the call.
Needed SectorsOfArrays(const Trial& trial);
// Returns the number of sectors that hold the arrays of the call, except for inputs.
Needed SectorsOfOutputs(const Trial& trial);

// Matches if loads, stores and atomics move at most `times` the sectors of global memory that hold
// the arrays of the call. With 1.0 each input may be read once and each output written once.
inline GlobalMatcher GlobalTrafficWithin(double times) {
  return {kGlobalTraffic, times, &SectorsOfArrays};
}

// Matches if loads, stores and atomics move at most `times` the `needed` sectors. Use it if data
// must move more often than once.
inline GlobalMatcher GlobalTrafficWithin(double times, Needed needed) {
  return {kGlobalTraffic, times, needed};
}

// Matches if loads and atomics move at most `times` the `needed` sectors. Atomics count because
// they can fetch a value too.
inline GlobalMatcher GlobalLoadsWithin(double times, Needed needed) {
  return {kGlobalLoads, times, needed};
}

// Matches if stores and atomics move at most `times` the sectors that hold the outputs.
inline GlobalMatcher GlobalStoresWithin(double times) {
  return {kGlobalStores, times, &SectorsOfOutputs};
}

// Matches if stores and atomics move at most `times` the `needed` sectors.
inline GlobalMatcher GlobalStoresWithin(double times, Needed needed) {
  return {kGlobalStores, times, needed};
}

// Matches if lanes store, or update by atomics, at most `times` the `needed` bytes of global
// memory. Each lane counts: lanes that update the same address move only one sector, but they wait
// for each other.
inline GlobalMatcher StoredBytesWithin(double times, Needed needed) {
  return {kStoredBytes, times, needed};
}

// Matches if accesses to shared memory take at most `times` the `needed` wavefronts. A wavefront is
// a pass of up to 128 bytes, 4 from each of 32 banks. A bank conflict costs a wavefront for each
// way beyond the first.
inline SharedMatcher SharedTrafficWithin(double times, Needed needed) {
  return {kSharedTraffic, times, needed};
}

// Matches if at most `times` the number `of` lanes are idle, counted over all accesses of warps to
// global and shared memory. `of` is, for example, the number of elements.
inline CounterMatcher IdleLanesWithin(double times, Needed of) { return {kIdleLanes, times, of}; }

// Matches if the counter is at most `most`. Of() selects arrays for counters of global memory only,
// whose names begin with global_ or read_only_.
inline GlobalMatcher CounterWithin(Counter counter, double most) {
  return {CounterMeasure(counter), most, std::nullopt};
}

// Matches if the counter meets `target`: CounterThat(Counter::kGlobalAtomicRequests, Ge(1)). A
// missed lower bound names no line, because it is missed by what no line does.
template <class M>
GlobalMatcher CounterThat(Counter counter, const M& target) {
  return {CounterMeasure(counter), testing::SafeMatcherCast<double>(target)};
}

// Matches if the counter, divided by what the reference counts for the same parameter, meets
// `target`: RelativeToReference(Counter::kThreadInstructions, Le(1.5)). The counts of the reference
// are recorded by `warpcheck validate NAME --record` (reference_counts.h), for the parameters that
// seeds draw too. They are the emulator's: on a GPU the ratio is not measured.
template <class M>
CounterMatcher RelativeToReference(Counter counter, const M& target) {
  return CounterMatcher(CounterMeasure(counter), testing::SafeMatcherCast<double>(target))
      .OfReference();
}

// Matches if the ratio global_sectors_ideal / global_sectors meets `target`; 1.0 is perfect. It
// judges single accesses: use it beside a bound on work.
template <class M>
GlobalMatcher Coalescing(const M& target) {
  return {kCoalescing, testing::SafeMatcherCast<double>(target)};
}

// Matches if the difference shared_wavefronts - shared_wavefronts_ideal meets `target`. It judges
// single accesses: use it beside a bound on work.
template <class M>
CounterMatcher ExcessiveWavefronts(const M& target) {
  return {kExcessiveWavefronts, testing::SafeMatcherCast<double>(target)};
}

// Loads from constant memory take at most `times` the `needed` passes: one for each warp that
// loads, if all of its lanes read the same address, and one more for each further address. Only the
// emulator counts them.
inline CounterMatcher ConstantReadsWithin(double times, Needed needed) {
  return {kConstantReads, times, needed};
}

// Matches if the cache looks up at most `times` the `needed` sectors for texture fetches. Only the
// emulator counts them.
inline CounterMatcher TextureFetchesWithin(double times, Needed needed) {
  return {kFetches, times, needed};
}

// Matches if loads and atomics that are no texture fetches move at most `times` the `needed`
// sectors of global memory. Only the emulator tells fetches and loads apart.
inline CounterMatcher PointerLoadsWithin(double times, Needed needed) {
  return {kPointerLoads, times, needed};
}

// Matches if no block does too much alone: the block of each launch that moves most bytes of global
// memory moves at most `most` of them, added up over all launches. A grid of many blocks of which
// one has work counts as one block, and so do launches of one block each, which take turns. Only
// the emulator counts single blocks.
inline CounterMatcher BusiestBlockWithin(double most) {
  return CounterMatcher(kBusiestBlock, most, std::optional<Needed>())
      .WithHint(
          "let many blocks share the work: each takes an equal part of the data, by blockIdx");
}

// Matches if all blocks together take at most `most` bytes of shared memory. A block that fills its
// shared memory n times, as a block does that moves one tile after the other, takes it n times.
// Only the emulator counts this.
inline CounterMatcher SharedMemoryWithin(double most) {
  return {kSharedMemory, most, std::optional<Needed>()};
}

// No kernel of the call accesses local memory. Local memory holds values for which there are no
// registers left, which the emulator knows from ptxas, and arrays of a thread.
inline CounterMatcher SpillsNothing() { return {kLocalMemory, 0, std::nullopt}; }

}  // namespace warpcheck
