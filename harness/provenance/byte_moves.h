// Follows the bytes of arrays through a call: it tells which memory may hold bytes of them, because
// a copy, the host or a kernel may have moved them there.
//
// Copies and the host are known move by move. What a kernel stores may come from all that it loads.
// So this never misses a copy, whatever a kernel does with the bytes on their way, and it needs
// nothing but the counters of each launch. The price: memory that a kernel computes from an array
// counts like a copy of it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "device/launch_record.h"
#include "device/types.h"

namespace warpcheck {

// The moves that the host made or asked for during a call.
class ByteMoves {
 public:
  // These stand for places that are no allocation of global memory.
  static constexpr DeviceAddress kUnknown = 0;    // other places (ArrayCounters::begin)
  static constexpr DeviceAddress kHost = 1;       // memory and variables of the host
  static constexpr DeviceAddress kConstants = 2;  // constant memory
  static constexpr DeviceAddress kFill = 3;       // the byte of a fill

  struct Move {
    std::uint64_t launches = 0;  // the number of launches before it
    DeviceAddress from = 0;      // where the allocation begins, or one of the places above
    DeviceAddress to = 0;
    friend auto operator<=>(const Move&, const Move&) = default;
  };

  void Add(DeviceAddress from, DeviceAddress to);
  void AddLaunch() { ++launches_; }

  // In the order of launches.
  const std::set<Move>& moves() const { return moves_; }
  std::uint64_t launches() const { return launches_; }
  // Returns true if there were more moves than are kept. Then each memory may hold any bytes.
  bool incomplete() const { return moves_.size() >= kMostMoves; }

  friend bool operator==(const ByteMoves&, const ByteMoves&) = default;

 private:
  static constexpr std::size_t kMostMoves = 4'096;
  std::set<Move> moves_;
  std::uint64_t launches_ = 0;
};

// The places that may hold bytes of some arrays, at each launch of a call.
class Holders {
 public:
  // `arrays` are the addresses of these arrays, `others` those of the other arrays of the call.
  // `launches` are the launches of the call in their order, with LaunchRecord::arrays.
  Holders(std::set<DeviceAddress> arrays, std::set<DeviceAddress> others, const ByteMoves& moves,
          std::span<const LaunchRecord> launches);

  // Returns whether the allocation that begins at `begin` may hold bytes of the arrays when launch
  // number `launch` ends. Memory of the program itself that nothing has written in this call may:
  // nobody knows what it holds.
  bool MayHold(std::size_t launch, DeviceAddress begin) const;

 private:
  struct State {
    std::set<DeviceAddress> holders;
    std::set<DeviceAddress> written;
    friend bool operator==(const State&, const State&) = default;
  };
  static void Apply(State& state, const ByteMoves::Move& move);
  static void Apply(State& state, const LaunchRecord& launch);

  std::set<DeviceAddress> others_;
  bool anything_ = false;      // true if each memory may hold bytes of the arrays
  std::vector<State> states_;  // by launch; one for all if their order is not known
};

}  // namespace warpcheck
