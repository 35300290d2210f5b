#include "hardware/limiter_text.h"

#include <fmt/format.h>

namespace warpcheck {
namespace {

double Ratio(const CounterSet& counters, Counter counter, Counter ideal) {
  const std::uint64_t least = counters.OrZero(ideal);
  return least == 0 ? 1
                    : static_cast<double>(counters.OrZero(counter)) / static_cast<double>(least);
}

// A kernel whose accesses move more than this many times the ideal is told so.
constexpr double kMuchMore = 1.25;

std::string SectorAdvice(const CounterSet& counters, const char* otherwise) {
  const double ratio = Ratio(counters, Counter::kGlobalSectors, Counter::kGlobalSectorsIdeal);
  if (ratio < kMuchMore) return otherwise;
  return fmt::format(
      "its accesses move {:.1f} times as many sectors as their bytes need; let neighbouring lanes "
      "use neighbouring addresses",
      ratio);
}

std::string IssueAdvice(const CounterSet& counters) {
  const double lanes = static_cast<double>(counters.OrZero(Counter::kThreadInstructions)) /
                       static_cast<double>(counters.OrZero(Counter::kWarpInstructions));
  constexpr double kFewLanes = 24;
  if (lanes < kFewLanes) {
    return fmt::format(
        "{:.1f} of 32 lanes are active in an average instruction; let all lanes of a warp take the "
        "same branches",
        lanes);
  }
  return "execute fewer instructions: unroll loops, compute addresses once, let a thread make "
         "several elements";
}

}  // namespace

std::string AdviceFor(Limiter resource, const CounterSet& counters) {
  switch (resource) {
    case Limiter::kMemory:
      return SectorAdvice(counters,
                          "move fewer bytes: smaller types, fewer arrays, one kernel instead of "
                          "two that read the same array");
    case Limiter::kL2:
      return SectorAdvice(counters, "store less often: add up in registers or in shared memory");
    case Limiter::kL1:
      if (counters.OrZero(Counter::kLocalSectors) > counters.OrZero(Counter::kGlobalSectors)) {
        return "most of its sectors are local memory: use fewer values at once, or smaller local "
               "arrays, so that they fit into registers";
      }
      return SectorAdvice(counters,
                          "load each value once: keep what is used again in registers or in "
                          "shared memory");
    case Limiter::kShared: {
      const double ratio =
          Ratio(counters, Counter::kSharedWavefronts, Counter::kSharedWavefrontsIdeal);
      if (ratio < kMuchMore) {
        return "access shared memory less often: keep values in registers, load wider words";
      }
      return fmt::format(
          "bank conflicts cause {:.1f} times as many wavefronts as needed; change the spacing of "
          "rows or the "
          "order of lanes",
          ratio);
    }
    case Limiter::kConstant:
      return "let all lanes of a warp read the same element, or keep the table in shared memory";
    case Limiter::kAtomics:
      return "add up in registers and in shared memory first, and make one atomic for a block";
    case Limiter::kIssue:
      return IssueAdvice(counters);
    case Limiter::kLatency:
      return "load more before the first value is used (several elements a thread, wider words), "
             "or let more warps run at once";
    case Limiter::kArithmetic:
      return "compute less, or with cheaper units: float in place of double, a product in place of "
             "a division";
    case Limiter::kWaits:
      return "let more warps run at once, wait at fewer barriers, or let a thread make several "
             "results that do not depend on each other";
    case Limiter::kBlocks:
      return "launch more blocks, or smaller ones, so that every multiprocessor has work";
    case Limiter::kLaunch:
      return "give the launch more work, or merge several launches into one";
  }
  return "";
}

bool IsCounted(Limiter resource, const CounterSet& counters) {
  // Warps that begin in the middle of a sector move 5 sectors where 4 are ideal, and pieces of an
  // array may have to begin so.
  constexpr double kBeyondDoubt = 1.5;
  switch (resource) {
    case Limiter::kMemory:
    case Limiter::kL2:
    case Limiter::kL1:
      return Ratio(counters, Counter::kGlobalSectors, Counter::kGlobalSectorsIdeal) >= kBeyondDoubt;
    case Limiter::kShared:
      return Ratio(counters, Counter::kSharedWavefronts, Counter::kSharedWavefrontsIdeal) >=
             kBeyondDoubt;
    default:
      return false;
  }
}

std::string_view LimiterName(Limiter resource) {
  switch (resource) {
    case Limiter::kMemory:
      return "memory bandwidth";
    case Limiter::kL2:
      return "the L2 cache";
    case Limiter::kL1:
      return "the L1 cache";
    case Limiter::kShared:
      return "shared memory";
    case Limiter::kConstant:
      return "constant memory";
    case Limiter::kAtomics:
      return "atomics on one address";
    case Limiter::kIssue:
      return "the number of instructions";
    case Limiter::kLatency:
      return "the latency of loads";
    case Limiter::kBlocks:
      return "too few blocks";
    case Limiter::kLaunch:
      return "the start of the launch";
    case Limiter::kArithmetic:
      return "arithmetic units";
    case Limiter::kWaits:
      return "waits for results and barriers";
  }
  return "";
}

}  // namespace warpcheck
