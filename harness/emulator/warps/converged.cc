#include "emulator/warps/converged.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "emulator/core/observer.h"
#include "emulator/decode/flow.h"

namespace warpcheck::emulator {
namespace {

// A register of an instruction.
struct Register {
  Slot slot = 0;
  std::uint32_t bytes = 0;  // the width in bytes; 0 for a predicate
  LaneMask flip = 0;        // all ones if a predicate is read negated
};

struct Contents {
  std::array<std::uint64_t, kLanes> values = {};
  Taint taint;
};

// The registers of an instruction that other lanes read (`given`), and the registers that it
// writes.
struct Shared {
  std::vector<Register> given;
  std::vector<Register> results;
};

Shared SharedBy(const Subwarp& subwarp, const Step& step) {
  const ptx::Instruction& instruction = subwarp.program->function->body[step.index];
  const ptx::Modifiers& modifiers = instruction.modifiers;
  Shared shared;
  shared.given.push_back({step.members, sizeof(LaneMask)});
  switch (instruction.opcode) {
    case ptx::Opcode::kShfl:
    case ptx::Opcode::kMatch:
      shared.given.push_back({step.a, ptx::Bytes(modifiers.type)});
      shared.results.push_back({step.d, 4});
      if (step.data != 0) shared.results.push_back({step.q});
      break;
    case ptx::Opcode::kVote:
      shared.given.push_back({step.a, 0, step.flip});
      shared.results.push_back({step.d, modifiers.vote == ptx::Vote::kBallot ? 4U : 0U});
      break;
    case ptx::Opcode::kRedux:
      shared.given.push_back({step.a, 4});
      shared.results.push_back({step.d, 4});
      break;
    case ptx::Opcode::kElect:
      shared.results.push_back({step.d, 4});
      if (step.flip != 0) shared.results.push_back({step.q});
      break;
    default:  // bar.warp.sync has no other registers
      break;
  }
  return shared;
}

Taint& TaintAt(const Subwarp& subwarp, const Register& reg) {
  return TaintsIn(subwarp.frame, *subwarp.program)[TaintOf(reg.slot)];
}

Contents Read(const Subwarp& subwarp, const Register& reg, bool tainted) {
  Contents contents;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (reg.bytes == 0) {
      contents.values[lane] = ((Predicate(subwarp.frame, reg.slot) ^ reg.flip) >> lane) & 1U;
    } else {
      std::memcpy(&contents.values[lane], subwarp.frame + reg.slot + lane * reg.bytes, reg.bytes);
    }
  }
  if (tainted) contents.taint = TaintAt(subwarp, reg);
  return contents;
}

void Write(const Subwarp& subwarp, const Register& reg, const Contents& contents, LaneMask lanes,
           bool tainted) {
  EachLane(lanes, [&](std::size_t lane) {
    if (reg.bytes == 0) {
      const LaneMask bit = LaneMask{1} << lane;
      LaneMask& to = Predicate(subwarp.frame, reg.slot);
      to = (to & ~bit) | (((contents.values[lane] != 0 ? bit : 0) ^ reg.flip) & bit);
    } else {
      std::memcpy(subwarp.frame + reg.slot + lane * reg.bytes, &contents.values[lane], reg.bytes);
    }
  });
  if (!tainted) return;
  Taint& taint = TaintAt(subwarp, reg);
  const LaneMask given = contents.taint.lanes & lanes;
  const LaneMask kept = taint.lanes & ~lanes;
  taint = {given | kept, given != 0 ? contents.taint.origin : taint.origin};
}

// The lanes that are at one instruction with the same registers.
struct Place {
  Arrival first;
  LaneMask lanes = 0;
  LaneMask active = 0;  // the lanes, including those whose guard is false
};

std::vector<Place> PlacesOf(const std::vector<Arrival>& group) {
  std::vector<Place> places;
  for (const Arrival& arrival : group) {
    auto place = std::ranges::find_if(
        places, [&](const Place& other) { return other.first.IsWith(arrival); });
    if (place == places.end()) place = places.insert(place, {.first = arrival});
    place->lanes |= arrival.lanes;
    place->active |= arrival.subwarp->paths.back().mask;
  }
  return places;
}

void ExecuteAt(Warp& warp, const Place& place, LaneMask lanes) {
  const bool parked = &warp.running != place.first.subwarp;
  if (parked) std::swap(warp.running, *place.first.subwarp);
  const Step& step = *place.first.step;
  warp.active = lanes;
  if (warp.tracker != nullptr && warp.tainted) {
    warp.tracker->Propagate(warp, step, place.active | lanes, lanes);
  }
  step.function(warp.running.frame, step, lanes, warp);
  if (parked) std::swap(warp.running, *place.first.subwarp);
}

// Executes the instruction at each place with the registers of all lanes. The lanes of other places
// provide their values. Afterwards everything is restored except the results of the place's own
// lanes.
void ExecuteAtAll(Warp& warp, const std::vector<Place>& places, LaneMask lanes) {
  const bool tainted =
      warp.tracker != nullptr;  // registers may be tainted, at least after a shuffle
  std::vector<std::vector<Contents>> given(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Arrival& at = places[i].first;
    for (const Register& reg : SharedBy(*at.subwarp, *at.step).given) {
      given[i].push_back(Read(*at.subwarp, reg, tainted));
    }
  }
  const auto* const observers = warp.observers;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Arrival& at = places[i].first;
    const LaneMask foreign = lanes & ~places[i].lanes;
    const Shared shared = SharedBy(*at.subwarp, *at.step);
    std::vector<std::pair<Register, Contents>> before;
    for (const auto* registers : {&shared.given, &shared.results}) {
      for (const Register& reg : *registers) {
        before.emplace_back(reg, Read(*at.subwarp, reg, tainted));
      }
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      for (std::size_t r = 0; k != i && r < shared.given.size(); ++r) {
        Write(*at.subwarp, shared.given[r], given[k][r], places[k].lanes, tainted);
      }
    }
    ExecuteAt(warp, places[i], lanes);
    warp.observers = nullptr;  // the first place has told the observers about all lanes
    for (const auto& [reg, contents] : before) Write(*at.subwarp, reg, contents, foreign, tainted);
  }
  warp.observers = observers;
}

}  // namespace

void ExecuteConverged(Warp& warp, const std::vector<Arrival>& group) {
  const std::vector<Place> places = PlacesOf(group);
  LaneMask lanes = 0;
  for (const Place& place : places) lanes |= place.lanes;
  if (places.size() == 1) {
    ExecuteAt(warp, places.front(), lanes);
  } else {
    ExecuteAtAll(warp, places, lanes);
  }
  for (const Arrival& arrival : group) {
    arrival.subwarp->state = WarpState::kReady;
    ++arrival.subwarp->resume;
  }
}

}  // namespace warpcheck::emulator
