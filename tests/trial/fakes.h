// Makes trials from given data, and returns the failures that a matcher adds.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "trial/case_log.h"
#include "trial/trial.h"

namespace warpcheck {

// Returns a trial of a call of transpose() that returned and did nothing.
inline Trial ReturnedTrial() {
  Trial trial;
  trial.function = "transpose()";
  trial.signature = "transpose(float const*, float*, int, int)";
  trial.outcome.end = remote::CallEnd::kReturned;
  return trial;
}

inline Trial EndedTrial(remote::CallEnd end, std::string text = {}) {
  Trial trial = ReturnedTrial();
  trial.outcome.end = end;
  trial.outcome.text = std::move(text);
  return trial;
}

inline LaunchRecord LaunchOf(const std::string& kernel) {
  LaunchRecord launch;
  launch.kernel = kernel;
  return launch;
}

struct Counted32 {
  std::uint64_t sectors = 0;
  std::uint64_t sectors_ideal = 0;
  std::uint64_t load_sectors = 0;
  std::uint64_t store_sectors = 0;
  std::uint64_t bytes = 0;  // bytes of all lanes, in global memory
  std::uint64_t lanes = 0;  // lanes of all accesses to global memory
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t atomics = 0;     // atomics that return a result
  std::uint64_t reductions = 0;  // atomics that return no result
  std::uint64_t atomic_sectors = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t wavefronts_ideal = 0;
  std::uint64_t shared_loads = 0;
  std::uint64_t shared_stores = 0;
  std::uint64_t shared_lanes = 0;
};

inline CounterSet CountersOf(const Counted32& counts) {
  CounterSet set;
  set.Set(Counter::kGlobalSectors, counts.sectors);
  set.Set(Counter::kGlobalSectorsIdeal, counts.sectors_ideal);
  set.Set(Counter::kGlobalRequests,
          counts.loads + counts.stores + counts.atomics + counts.reductions);
  set.Set(Counter::kGlobalAtomicRequests, counts.atomics);
  set.Set(Counter::kGlobalReductionRequests, counts.reductions);
  set.Set(Counter::kGlobalAtomicSectors, counts.atomic_sectors);
  set.Set(Counter::kGlobalAtomicBytes, counts.atomic_sectors * 32);
  set.Set(Counter::kGlobalLoadSectors, counts.load_sectors);
  set.Set(Counter::kGlobalStoreSectors, counts.store_sectors);
  set.Set(Counter::kGlobalBytes, counts.bytes);
  set.Set(Counter::kGlobalLanes, counts.lanes);
  set.Set(Counter::kGlobalLoadRequests, counts.loads);
  set.Set(Counter::kGlobalStoreRequests, counts.stores);
  set.Set(Counter::kSharedWavefronts, counts.wavefronts);
  set.Set(Counter::kSharedWavefrontsIdeal, counts.wavefronts_ideal);
  set.Set(Counter::kSharedLoadRequests, counts.shared_loads);
  set.Set(Counter::kSharedStoreRequests, counts.shared_stores);
  set.Set(Counter::kSharedRequests, counts.shared_loads + counts.shared_stores);
  set.Set(Counter::kSharedLanes, counts.shared_lanes);
  return set;
}

// Adds a line to the launch, and its counters to the totals.
inline void AddLine(LaunchRecord& launch, int line, const Counted32& counts) {
  const CounterSet counters = CountersOf(counts);
  if (launch.lines.empty()) {
    launch.counters = counters;
  } else {
    launch.counters += counters;
  }
  launch.lines.push_back({SourceLocation{"transpose.cu", line, 0}, counters});
}

// Returns the failures that EXPECT_THAT(value, matcher) would add; empty if it matches.
template <class T, class M>
std::vector<CaseFailure> WholeFailuresOf(const T& value, const M& matcher) {
  CaseLog::Current().Take();
  testing::StringMatchResultListener listener;
  const bool matches = testing::ExplainMatchResult(matcher, value, &listener);
  std::vector<CaseFailure> failures = CaseLog::Current().Take();
  EXPECT_EQ(matches, failures.empty()) << listener.str();
  return failures;
}

// Returns the failures without the pictures of their maps and accesses, and without the mark of
// wrong results.
template <class T, class M>
std::vector<CaseFailure> FailuresOf(const T& value, const M& matcher) {
  std::vector<CaseFailure> failures = WholeFailuresOf(value, matcher);
  for (CaseFailure& failure : failures) {
    failure.complaint.map.reset();
    failure.complaint.access.reset();
    failure.complaint.wrong_result = false;
    if (!FindingKindOf(failure.complaint.kind)) failure.complaint.kind = ComplaintKind::kCheck;
    failure.complaint.about.clear();
  }
  return failures;
}

inline CaseFailure FailureOf(Verdict verdict, std::string message, std::string hint = {},
                             SourceLocation where = {}) {
  return MakeFailure(ComplaintKind::kCheck, verdict, std::move(message), std::move(hint),
                     std::move(where));
}

}  // namespace warpcheck

namespace warpcheck {

inline void PrintTo(const CaseFailure& failure, std::ostream* out) {
  *out << Name(failure.verdict) << ": " << ExplanationOf({failure});
}

}  // namespace warpcheck
