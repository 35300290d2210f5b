// The basic idea: a set of places, which grows with each move.
//
//     holders = {the arrays}
//     a copy from a to b        if (a is in holders) add b
//     a launch                  if (it reads a place in holders) add every place that it writes
//
//     cudaMemcpy(tmp, in, n, cudaMemcpyDeviceToDevice);   // {in}      becomes {in, tmp}
//     k<<<1, 32>>>(tmp, out);                             // {in, tmp} becomes {in, tmp, out}
//
// A place is an allocation, or one of kHost, kConstants and kFill. Moves are applied in their
// order, so that a copy that comes after a launch says nothing about that launch. If the order is
// not known, because equal launches have one record, all moves are applied until the set grows no
// more.
#include "provenance/byte_moves.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace warpcheck {
namespace {

std::uint64_t Sum(const ArrayCounters& array, std::initializer_list<Counter> counters) {
  std::uint64_t sum = 0;
  for (const LineCounters& line : array.lines) {
    for (const Counter counter : counters) sum += line.counters.OrZero(counter);
  }
  return sum;
}

// Returns whether a launch has got values from the allocation.
bool Reads(const ArrayCounters& array) {
  return Sum(array, {Counter::kGlobalLoadSectors, Counter::kGlobalAtomicSectors}) != 0;
}

bool Writes(const ArrayCounters& array) {
  return Sum(array, {Counter::kGlobalStoreSectors, Counter::kGlobalAtomicRequests,
                     Counter::kGlobalReductionRequests}) != 0;
}

}  // namespace

void ByteMoves::Add(DeviceAddress from, DeviceAddress to) {
  if (from == to || incomplete()) return;
  moves_.insert({.launches = launches_, .from = from, .to = to});
}

void Holders::Apply(State& state, const ByteMoves::Move& move) {
  state.written.insert(move.to);
  if (state.holders.contains(move.from)) state.holders.insert(move.to);
}

// The host may give any value that it knows to a kernel, as a parameter.
void Holders::Apply(State& state, const LaunchRecord& launch) {
  if (!launch.arrays) return;
  const auto holds = [&](DeviceAddress place) { return state.holders.contains(place); };
  const bool constants = launch.counters.OrZero(Counter::kConstantRequests) != 0;
  const bool gets =
      holds(ByteMoves::kHost) || (constants && holds(ByteMoves::kConstants)) ||
      std::ranges::any_of(*launch.arrays, [&](const ArrayCounters& array) {
        return Reads(array) && (array.begin == ByteMoves::kUnknown || holds(array.begin));
      });
  for (const ArrayCounters& array : *launch.arrays) {
    if (!Writes(array)) continue;
    state.written.insert(array.begin);
    if (gets) state.holders.insert(array.begin);
  }
}

Holders::Holders(std::set<DeviceAddress> arrays, std::set<DeviceAddress> others,
                 const ByteMoves& moves, std::span<const LaunchRecord> launches)
    : others_(std::move(others)), anything_(moves.incomplete()) {
  State state{.holders = std::move(arrays), .written = {}};
  const bool each_alone =
      std::ranges::all_of(launches, [](const LaunchRecord& one) { return one.launches == 1; });
  if (each_alone && launches.size() == moves.launches()) {
    auto move = moves.moves().begin();
    for (std::size_t i = 0; i < launches.size(); ++i) {
      for (; move != moves.moves().end() && move->launches <= i; ++move) Apply(state, *move);
      // Another move before the same launch may have taken the bytes of this one further.
      const auto before = moves.moves().lower_bound({.launches = i, .from = 0, .to = 0});
      for (State last; last != state;) {
        last = state;
        for (auto again = before; again != move; ++again) Apply(state, *again);
      }
      Apply(state, launches[i]);
      states_.push_back(state);
    }
    return;
  }
  for (State last; last != state;) {
    last = state;
    for (const ByteMoves::Move& move : moves.moves()) Apply(state, move);
    for (const LaunchRecord& launch : launches) Apply(state, launch);
  }
  states_.push_back(std::move(state));
}

bool Holders::MayHold(std::size_t launch, DeviceAddress begin) const {
  if (anything_ || begin == ByteMoves::kUnknown || states_.empty()) return true;
  const State& state = states_[std::min(launch, states_.size() - 1)];
  if (state.holders.contains(begin)) return true;
  return !others_.contains(begin) && !state.written.contains(begin);
}

}  // namespace warpcheck
