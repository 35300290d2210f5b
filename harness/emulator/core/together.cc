#include "emulator/core/together.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "emulator/code/taint.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {
namespace {

// A register of an instruction: what each lane has in it, and where values came from.
struct Register {
  Slot slot = 0;
  std::uint32_t bytes = 0;  // 0: a predicate
  LaneMask flip = 0;        // of a predicate: it counts negated
};

struct Contents {
  std::array<std::uint64_t, kLanes> values = {};
  Taint taint;
};

// The registers of an instruction that other lanes look at, and those that it writes.
struct Shared {
  std::vector<Register> given;
  std::vector<Register> results;
};

Shared SharedBy(const Strand& strand, const Step& step) {
  const ptx::Instruction& instruction = strand.program->function->body[step.index];
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
    default:  // bar.warp
      break;
  }
  return shared;
}

Taint& TaintAt(const Strand& strand, const Register& reg) {
  return TaintsIn(strand.frame, *strand.program)[TaintOf(reg.slot)];
}

Contents Read(const Strand& strand, const Register& reg, bool tainted) {
  Contents contents;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (reg.bytes == 0) {
      contents.values[lane] = ((Predicate(strand.frame, reg.slot) ^ reg.flip) >> lane) & 1U;
    } else {
      std::memcpy(&contents.values[lane], strand.frame + reg.slot + lane * reg.bytes, reg.bytes);
    }
  }
  if (tainted) contents.taint = TaintAt(strand, reg);
  return contents;
}

void Write(const Strand& strand, const Register& reg, const Contents& contents, LaneMask lanes,
           bool tainted) {
  EachLane(lanes, [&](std::size_t lane) {
    if (reg.bytes == 0) {
      const LaneMask bit = LaneMask{1} << lane;
      LaneMask& to = Predicate(strand.frame, reg.slot);
      to = (to & ~bit) | (((contents.values[lane] != 0 ? bit : 0) ^ reg.flip) & bit);
    } else {
      std::memcpy(strand.frame + reg.slot + lane * reg.bytes, &contents.values[lane], reg.bytes);
    }
  });
  if (!tainted) return;
  Taint& taint = TaintAt(strand, reg);
  const LaneMask given = contents.taint.lanes & lanes;
  const LaneMask kept = taint.lanes & ~lanes;
  taint = {given | kept, given != 0 ? contents.taint.origin : taint.origin};
}

// The lanes that are at one instruction, on the same registers.
struct Place {
  Meeter first;
  LaneMask lanes = 0;
  LaneMask active = 0;  // those whose guard does not hold included
};

std::vector<Place> PlacesOf(const std::vector<Meeter>& group) {
  std::vector<Place> places;
  for (const Meeter& meeter : group) {
    auto place = std::ranges::find_if(
        places, [&](const Place& other) { return other.first.IsWith(meeter); });
    if (place == places.end()) place = places.insert(place, {.first = meeter});
    place->lanes |= meeter.lanes;
    place->active |= meeter.strand->paths.back().mask;
  }
  return places;
}

void ExecuteAt(Warp& warp, const Place& place, LaneMask lanes) {
  Strand& self = warp;
  const bool parked = &self != place.first.strand;
  if (parked) std::swap(self, *place.first.strand);
  const Step& step = *place.first.step;
  warp.active = lanes;
  if (warp.tracker != nullptr && warp.tainted) {
    warp.tracker->Follow(warp, step, place.active | lanes, lanes);
  }
  step.function(warp.frame, step, lanes, warp);
  if (parked) std::swap(self, *place.first.strand);
}

// Lends each place the registers of the lanes that are at others: it computes what its own lanes
// get from all, and everything else is put back as it was.
void ExecuteAtAll(Warp& warp, const std::vector<Place>& places, LaneMask lanes) {
  const bool tainted = warp.tracker != nullptr;  // or may be, after a shuffle
  std::vector<std::vector<Contents>> given(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Meeter& at = places[i].first;
    for (const Register& reg : SharedBy(*at.strand, *at.step).given) {
      given[i].push_back(Read(*at.strand, reg, tainted));
    }
  }
  const auto* const observers = warp.observers;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Meeter& at = places[i].first;
    const LaneMask foreign = lanes & ~places[i].lanes;
    const Shared shared = SharedBy(*at.strand, *at.step);
    std::vector<std::pair<Register, Contents>> before;
    for (const auto* registers : {&shared.given, &shared.results}) {
      for (const Register& reg : *registers) {
        before.emplace_back(reg, Read(*at.strand, reg, tainted));
      }
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      for (std::size_t r = 0; k != i && r < shared.given.size(); ++r) {
        Write(*at.strand, shared.given[r], given[k][r], places[k].lanes, tainted);
      }
    }
    ExecuteAt(warp, places[i], lanes);
    warp.observers = nullptr;  // they have seen all lanes
    for (const auto& [reg, contents] : before) Write(*at.strand, reg, contents, foreign, tainted);
  }
  warp.observers = observers;
}

}  // namespace

void ExecuteTogether(Warp& warp, const std::vector<Meeter>& group) {
  const std::vector<Place> places = PlacesOf(group);
  LaneMask lanes = 0;
  for (const Place& place : places) lanes |= place.lanes;
  if (places.size() == 1) {
    ExecuteAt(warp, places.front(), lanes);
  } else {
    ExecuteAtAll(warp, places, lanes);
  }
  for (const Meeter& meeter : group) {
    meeter.strand->state = WarpState::kReady;
    ++meeter.strand->resume;
  }
}

}  // namespace warpcheck::emulator
