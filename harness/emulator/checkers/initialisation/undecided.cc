#include "emulator/checkers/initialisation/undecided.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "emulator/code/taint.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint32_t kMostTried = 4;  // so many sources of an instruction are tried

// A register, which contains a mask of all lanes or a value for each lane.
struct Register {
  Slot slot = 0;
  std::uint32_t bytes = 0;  // bytes of each lane; 0 for a predicate
  LaneMask tainted = 0;

  std::size_t size() const { return bytes == 0 ? sizeof(LaneMask) : std::size_t{bytes} * kLanes; }
};

// Fills the given lanes of a register with zeros or ones.
void Fill(std::byte* frame, const Register& to, LaneMask lanes, bool ones) {
  if (to.bytes == 0) {
    LaneMask& mask = Predicate(frame, to.slot);
    mask = ones ? mask | lanes : mask & ~lanes;
    return;
  }
  EachLane(lanes, [&](std::size_t lane) {
    std::memset(frame + to.slot + lane * to.bytes, ones ? 0xff : 0, to.bytes);
  });
}

// Returns the lanes in which a register has changed.
LaneMask Differs(const std::byte* frame, const Register& now, const std::vector<std::byte>& before,
                 LaneMask lanes) {
  if (now.bytes == 0) {
    LaneMask was = 0, is = 0;
    std::memcpy(&was, before.data(), sizeof was);
    std::memcpy(&is, frame + now.slot, sizeof is);
    return (was ^ is) & lanes;
  }
  return LanesAmong(lanes, [&](std::size_t lane) {
    const std::size_t at = lane * now.bytes;
    return std::memcmp(before.data() + at, frame + now.slot + at, now.bytes) != 0;
  });
}

std::vector<std::byte> Copied(const std::byte* frame, const Register& from) {
  return {frame + from.slot, frame + from.slot + from.size()};
}

// A Trial executes a step with zeros and with ones in its tainted sources. Afterwards the frame is
// as it was before.
class Trial {
 public:
  Trial(Warp& warp, const Step& step, LaneMask lanes) : warp_(warp), step_(step), lanes_(lanes) {}

  void AddSource(const Register& source) {
    for (const Register& known : sources_) {
      if (known.slot == source.slot) return;
    }
    sources_.push_back(source);
    Keep(source);
  }
  void AddDestination(const Register& destination) {
    destinations_.push_back(destination);
    Keep(destination);
  }

  // Returns for each destination the lanes whose results differ.
  std::vector<LaneMask> Run() {
    std::vector<LaneMask> differing(destinations_.size(), 0);
    std::vector<std::vector<std::byte>> first;
    for (std::uint32_t ones = 0; ones < 1U << sources_.size(); ++ones) {
      for (std::size_t i = 0; i < sources_.size(); ++i) {
        Fill(warp_.running.frame, sources_[i], sources_[i].tainted & lanes_, (ones >> i & 1U) != 0);
      }
      step_.function(warp_.running.frame, step_, lanes_, warp_);
      for (std::size_t i = 0; i < destinations_.size(); ++i) {
        if (ones == 0) {
          first.push_back(Copied(warp_.running.frame, destinations_[i]));
        } else {
          differing[i] |= Differs(warp_.running.frame, destinations_[i], first[i], lanes_);
        }
      }
      Restore();
    }
    return differing;
  }

 private:
  void Keep(const Register& one) { kept_.emplace_back(one.slot, Copied(warp_.running.frame, one)); }
  void Restore() {
    for (const auto& [slot, bytes] : kept_) {
      std::memcpy(warp_.running.frame + slot, bytes.data(), bytes.size());
    }
  }

  Warp& warp_;
  const Step& step_;
  const LaneMask lanes_;
  std::vector<Register> sources_;
  std::vector<Register> destinations_;
  std::vector<std::pair<Slot, std::vector<std::byte>>> kept_;
};

// Returns the lanes in which a factor is 0.
LaneMask Zeros(const std::byte* frame, Slot slot, std::uint32_t bytes, LaneMask lanes) {
  return LanesAmong(lanes, [&](std::size_t lane) {
    std::uint64_t value = 0;
    std::memcpy(&value, frame + slot + lane * bytes, bytes);
    return value == 0;
  });
}

}  // namespace

DestinationMasks Undecided(Warp& warp, const Step& step, const Flow& flow, LaneMask lanes) {
  const Taint* const taints = TaintsIn(warp.running.frame, *warp.running.program);
  const auto tainted = [&](std::size_t source) {
    return source < flow.sources.size() ? taints[flow.sources[source]].lanes & lanes : LaneMask{0};
  };
  LaneMask free = 0;  // lanes with a tainted source that is not one of those tried
  for (std::size_t i = 0; i < flow.sources.size(); ++i) {
    if ((flow.bitwise >> i & 1U) == 0) free |= tainted(i);
  }
  if (flow.product) {
    const std::uint32_t bytes =
        ptx::Bytes(warp.running.program->function->body[step.index].modifiers.type);
    const LaneMask a = tainted(0), b = tainted(1);
    free = tainted(2) | (a & b) | (a & ~b & ~Zeros(warp.running.frame, step.b, bytes, a & ~b)) |
           (b & ~a & ~Zeros(warp.running.frame, step.a, bytes, b & ~a));
    return {free, free};
  }
  if (flow.joins == ptx::BoolOp::kAnd || flow.joins == ptx::BoolOp::kOr) {
    const LaneMask holds = Predicate(warp.running.frame, step.c) ^ step.flip;
    free &= tainted(2) | (flow.joins == ptx::BoolOp::kAnd ? holds : ~holds);
  }
  LaneMask left = 0;
  for (std::size_t i = 0; i < flow.sources.size(); ++i) left |= tainted(i);
  left &= ~free;
  if (left == 0) return {free, free};
  Trial trial(warp, step, lanes);
  std::uint32_t tried = 0;
  for (std::size_t i = 0; i < flow.sources.size(); ++i) {
    if ((flow.bitwise >> i & 1U) == 0 || (tainted(i) & left) == 0) continue;
    if (++tried > kMostTried) return {kAllLanes, kAllLanes};
    trial.AddSource({.slot = flow.sources[i] * kTaintUnit,
                     .bytes = flow.source_bytes[i],
                     .tainted = tainted(i) & left});
  }
  for (std::size_t i = 0; i < flow.destinations.size(); ++i) {
    trial.AddDestination(
        {.slot = flow.destinations[i] * kTaintUnit, .bytes = flow.destination_bytes[i]});
  }
  DestinationMasks may = {free, free};
  const std::vector<LaneMask> differing = trial.Run();
  for (std::size_t i = 0; i < differing.size(); ++i)
    may[std::min<std::size_t>(i, 1)] |= differing[i];
  return may;
}

}  // namespace warpcheck::emulator
