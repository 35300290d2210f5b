#include "emulator/memory_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/block.h"
#include "emulator/counter_law.h"
#include "emulator/decoder.h"
#include "emulator/events.h"
#include "emulator/launch.h"

namespace warpcheck::emulator {
namespace {

using Kind = MemoryInfo::Kind;

// A stretch of memory in which one range test allows an access.
struct Region {
  enum class What : std::uint8_t { kNone, kHeap, kConstant, kShared, kLocal, kParam };
  What what = What::kNone;
  std::uint64_t begin = 0;    // address of its first byte, in the space of the instruction
  std::uint64_t end = 0;      // one past its last
  std::byte* host = nullptr;  // behind `begin`
};

bool Writes(Kind kind) { return kind != Kind::kLoad; }

MemoryKind KindOf(Region::What what) {
  switch (what) {
    case Region::What::kConstant:
      return MemoryKind::kConstant;
    case Region::What::kShared:
      return MemoryKind::kShared;
    case Region::What::kLocal:
      return MemoryKind::kLocal;
    case Region::What::kParam:
      return MemoryKind::kParameter;
    default:
      return MemoryKind::kGlobal;
  }
}

std::string_view Verb(Kind kind) {
  switch (kind) {
    case Kind::kLoad:
      return "reads";
    case Kind::kStore:
      return "writes";
    default:
      return "updates";
  }
}

// "shared" for a generic address of shared memory, ...; null for one that may be global.
const char* OtherSpaceAt(std::uint64_t address) {
  return kSharedWindow.Contains(address)  ? "shared"
         : kLocalWindow.Contains(address) ? "local"
         : kParamWindow.Contains(address) ? "parameter"
                                          : nullptr;
}

class Access {
 public:
  Access(std::byte* frame, const Step& step, LaneMask mask, Warp& warp, std::byte* (&at)[kLanes])
      : step_(step),
        mask_(mask),
        warp_(warp),
        launch_(*warp.launch),
        info_(warp.program->memory[step.memory]),
        site_(warp.sites[step.memory]),
        at_(at) {
    for (LaneMask left = mask; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      addresses_[static_cast<std::size_t>(lane)] =
          AddressOf(frame, step, info_.address_bytes, lane);
    }
  }

  LaneMask Run() {
    if (!CheckAlignment()) return 0;
    LaneMask good = 0;
    LaneMask in_local = 0;
    Region local;
    Region whole;
    LaneMask open = mask_;
    while (open != 0) {
      const int lane = std::countr_zero(open);
      const Region region = RegionOf(address(lane), lane);
      LaneMask inside = LanesInside(region, open, lane);
      if (inside == 0) {
        inside = LaneMask{1} << lane;
        ReportOutside(lane);
      } else if (Writes(info_.kind) && IsReadOnly(region)) {
        ReportReadOnly(inside);
      } else {
        good |= inside;
        for (LaneMask left = inside; left != 0; left &= left - 1) {
          const int i = std::countr_zero(left);
          at_[i] = region.host + (address(i) - region.begin);
        }
        if (inside == mask_) whole = region;
        if (region.what == Region::What::kLocal) {
          in_local |= inside;
          local = region;
        } else {
          Observe(inside, region);
        }
      }
      open &= ~inside;
      if (launch_.stopped) return 0;
    }
    Observe(in_local, local);
    Count();
    if (whole.what == Region::What::kHeap || whole.what == Region::What::kShared) Remember(whole);
    return good;
  }

 private:
  std::uint64_t address(int lane) const { return addresses_[static_cast<std::size_t>(lane)]; }

  bool CheckAlignment() {
    const std::uint64_t misaligned_bits = std::uint64_t{info_.bytes} - 1;
    LaneMask misaligned = 0;
    for (LaneMask left = mask_; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      if ((address(lane) & misaligned_bits) != 0) misaligned |= LaneMask{1} << lane;
    }
    if (misaligned == 0) return true;
    Report(warp_, step_, FindingKind::kMisaligned, misaligned,
           fmt::format("{} {} bytes at {:#x}, which is not a multiple of {}", Verb(info_.kind),
                       info_.bytes, address(std::countr_zero(misaligned)), info_.bytes));
    launch_.Stop(DeviceError::kMisalignedAddress);
    return false;
  }

  Region SharedRegion(std::uint64_t window) const {
    std::vector<std::byte>& shared = warp_.block->shared;
    return {Region::What::kShared, window, window + launch_.shared_bytes, shared.data()};
  }
  Region LocalRegion(std::uint64_t window, int lane) const {
    return {Region::What::kLocal, window, window + warp_.local_stride,
            warp_.local.data() + std::size_t{warp_.local_stride} * static_cast<unsigned>(lane)};
  }

  Region RegionOf(std::uint64_t address, int lane) const {
    switch (info_.space) {
      case ptx::Space::kShared:
        return SharedRegion(0);
      case ptx::Space::kLocal:
        return LocalRegion(0, lane);
      default:
        break;
    }
    if (info_.space == ptx::Space::kGlobal && OtherSpaceAt(address) != nullptr) return {};
    if (kSharedWindow.Contains(address)) return SharedRegion(kSharedWindow.begin);
    if (kLocalWindow.Contains(address)) return LocalRegion(kLocalWindow.begin, lane);
    if (kParamWindow.Contains(address)) {
      const auto& parameters = launch_.request->parameters;
      return {Region::What::kParam, kParamWindow.begin, kParamWindow.begin + parameters.size(),
              const_cast<std::byte*>(parameters.data())};
    }
    const Allocation* allocation = launch_.memory->Find(address, info_.bytes);
    if (allocation == nullptr) return {};
    return {allocation->kind == AllocationKind::kConstant ? Region::What::kConstant
                                                          : Region::What::kHeap,
            allocation->begin, allocation->end(), allocation->host};
  }

  bool Inside(const Region& region, int lane) const {
    return address(lane) >= region.begin && address(lane) <= region.end &&
           region.end - address(lane) >= info_.bytes;
  }

  // The lanes of `open` inside the region that was found for `lane`: all of them, except that a
  // local region is one lane's.
  LaneMask LanesInside(const Region& region, LaneMask open, int lane) const {
    if (region.what == Region::What::kNone) return 0;
    if (region.what == Region::What::kLocal) return Inside(region, lane) ? LaneMask{1} << lane : 0;
    LaneMask inside = 0;
    for (LaneMask left = open; left != 0; left &= left - 1) {
      const int i = std::countr_zero(left);
      if (Inside(region, i)) inside |= LaneMask{1} << i;
    }
    return inside;
  }

  static bool IsReadOnly(const Region& region) {
    return region.what == Region::What::kConstant || region.what == Region::What::kParam;
  }

  void ReportReadOnly(LaneMask lanes) {
    Report(warp_, step_, FindingKind::kWriteToConstant, lanes,
           fmt::format("{} {} bytes at {:#x}, which is constant memory", Verb(info_.kind),
                       info_.bytes, address(std::countr_zero(lanes))));
  }

  void ReportOutside(int lane) {
    const LaneMask lanes = LaneMask{1} << lane;
    const std::uint64_t where = address(lane);
    const auto what =
        fmt::format("{} {} byte{} at ", Verb(info_.kind), info_.bytes, info_.bytes == 1 ? "" : "s");
    const bool global = info_.space == ptx::Space::kGlobal;
    const bool shared =
        info_.space == ptx::Space::kShared || (!global && kSharedWindow.Contains(where));
    const bool local =
        info_.space == ptx::Space::kLocal || (!global && kLocalWindow.Contains(where));
    if (const std::string_view taken = TakenFor(where); (shared || local) && !taken.empty()) {
      Report(warp_, step_,
             shared ? FindingKind::kSharedOutOfBounds : FindingKind::kLocalOutOfBounds, lanes,
             fmt::format("{}{:#x}, {}", what, where, taken));
    } else if (shared) {
      const std::uint64_t begin = info_.space == ptx::Space::kShared ? 0 : kSharedWindow.begin;
      Report(warp_, step_, FindingKind::kSharedOutOfBounds, lanes,
             fmt::format("{}byte {} of shared memory, and the block has {} bytes", what,
                         where - begin, launch_.shared_bytes));
    } else if (local) {
      const std::uint64_t begin = info_.space == ptx::Space::kLocal ? 0 : kLocalWindow.begin;
      Report(warp_, step_, FindingKind::kLocalOutOfBounds, lanes,
             fmt::format("{}byte {} of local memory, and the thread has {} bytes", what,
                         where - begin, warp_.local_stride));
    } else if (kHeapWindow.Contains(where)) {
      ReportHeap(lanes, where, what);
    } else {
      ReportIllegal(lanes, where);
    }
  }

  // Of an address in the space of shared or local memory: what it looks like instead.
  std::string_view TakenFor(std::uint64_t where) const {
    const bool own = info_.space == ptx::Space::kShared || info_.space == ptx::Space::kLocal;
    if (!own || where < kHeapWindow.begin) return {};
    if (kHeapWindow.Contains(where)) {
      return info_.space == ptx::Space::kShared
                 ? "an address of global memory, where the instruction takes shared memory"
                 : "an address of global memory, where the instruction takes local memory";
    }
    return "a generic address, where the instruction takes one of its own memory";
  }

  void ReportHeap(LaneMask lanes, std::uint64_t where, const std::string& what) {
    const Allocation* nearest = launch_.memory->Nearest(where);
    const bool freed = nearest != nullptr && nearest->host == nullptr && where >= nearest->begin &&
                       where < nearest->end();
    // A GPU has mapped nothing so far away.
    const bool far = nearest == nullptr || nearest->Distance(where) > DeviceMemory::kGap;
    const FindingKind kind = freed                ? FindingKind::kUseAfterFree
                             : far                ? FindingKind::kIllegalAddress
                             : Writes(info_.kind) ? FindingKind::kOutOfBoundsWrite
                                                  : FindingKind::kOutOfBoundsRead;
    std::string message;
    if (!Reported(warp_, step_, kind)) {
      message =
          fmt::format("{}{:#x}, {}", what, where, launch_.memory->Describe(where, info_.bytes));
    }
    Report(warp_, step_, kind, lanes, std::move(message));
    if (far) launch_.Stop(DeviceError::kIllegalAddress);
  }

  void ReportIllegal(LaneMask lanes, std::uint64_t where) {
    constexpr std::uint64_t kNullPage = 1 << 16;
    // A host address differs from run to run, and reports of equal runs are equal: it is not shown.
    const char* const other = OtherSpaceAt(where);
    const std::string why =
        other != nullptr
            ? fmt::format(
                  "through an address of {} memory, where the instruction takes global "
                  "memory",
                  other)
        : where < kNullPage ? fmt::format("at {:#x}, near a null pointer", where)
        : where < kHeapWindow.begin
            ? "through a pointer to memory of the host, which a kernel cannot use"
            : fmt::format("at {:#x}, which is no address of any memory", where);
    Report(warp_, step_, FindingKind::kIllegalAddress, lanes,
           fmt::format("{} {} byte{} {}", Verb(info_.kind), info_.bytes,
                       info_.bytes == 1 ? "" : "s", why));
    launch_.Stop(DeviceError::kIllegalAddress);
  }

  // How the lanes lie, looking at each.
  AccessShape Shape(LaneMask lanes) const {
    const std::uint64_t first = address(std::countr_zero(lanes));
    bool contiguous = lanes == kAllLanes;
    bool uniform = true;
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      contiguous = contiguous && addresses_[lane] == first + lane * info_.bytes;
      uniform = uniform && addresses_[lane] == first;
    }
    return contiguous ? AccessShape::kContiguous
           : uniform  ? AccessShape::kUniform
                      : AccessShape::kScattered;
  }

  // Local memory, which differs from lane to lane, is told of as a whole.
  void Observe(LaneMask lanes, const Region& region) {
    if (warp_.observers == nullptr || lanes == 0) return;
    const bool global =
        region.what == Region::What::kHeap || region.what == Region::What::kConstant;
    LaneAddresses offsets = addresses_;
    if (!global) {
      for (std::uint64_t& offset : offsets) offset -= region.begin;
    }
    Tell(*warp_.observers, &Observer::OnAccess,
         AccessEvent{.warp = warp_,
                     .step = step_,
                     .info = info_,
                     .memory = KindOf(region.what),
                     .mask = lanes,
                     .shape = Shape(lanes),
                     .addresses = offsets,
                     .begin = global ? region.begin : 0,
                     .end = global ? region.end : region.end - region.begin,
                     .host = region.what == Region::What::kLocal ? nullptr : region.host});
  }

  // What the access of these lanes costs in one kind of memory.
  void CountIn(TallyOf where, LaneMask lanes) {
    if (lanes == 0) return;
    Tally& tally = site_.tallies[static_cast<std::size_t>(where)];
    ++tally.requests;
    cost_ = CostIn(where, lanes);
    tally.cost += cost_.cost;
    tally.ideal += cost_.ideal;
    tally.lanes += static_cast<unsigned>(std::popcount(lanes));
  }

  Tally CostIn(TallyOf where, LaneMask lanes) const {
    const MemoryGeometry& geometry = launch_.hardware->memory;
    if (where == TallyOf::kShared && info_.counting == Counting::kMatrixRows) {
      const SharedCost cost = CostOfMatrixRows(geometry, {lanes, addresses_.data(), info_.bytes});
      return {.requests = 1, .cost = cost.wavefronts, .ideal = cost.ideal_wavefronts};
    }
    if (where == TallyOf::kShared) {
      const SharedAccess kind = info_.kind == Kind::kLoad        ? SharedAccess::kLoad
                                : info_.kind == Kind::kStore     ? SharedAccess::kStore
                                : info_.kind == Kind::kReduction ? SharedAccess::kReduction
                                                                 : SharedAccess::kAtomic;
      const SharedCost cost = CostOfShared(geometry, {lanes, addresses_.data(), info_.bytes}, kind);
      return {.requests = 1, .cost = cost.wavefronts, .ideal = cost.ideal_wavefronts};
    }
    if (where == TallyOf::kGlobal) {
      const GlobalCost cost = CostOfGlobal(geometry, {lanes, addresses_.data(), info_.bytes});
      return {.requests = 1, .cost = cost.sectors, .ideal = cost.ideal_sectors};
    }
    return LocalCost(geometry, lanes);
  }

  // Local memory lies interleaved: the same 4-byte word of the 32 lanes is contiguous.
  Tally LocalCost(const MemoryGeometry& geometry, LaneMask lanes) const {
    Tally tally;
    const std::uint32_t words = std::max(info_.bytes, 4U) / 4;
    for (std::uint32_t word = 0; word < words; ++word) {
      LaneAddresses places = {};
      for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint64_t row = address(lane) / 4 + word;
        places[static_cast<std::size_t>(lane)] = (row * kLanes + static_cast<unsigned>(lane)) * 4;
      }
      const GlobalCost cost = CostOfGlobal(geometry, {lanes, places.data(), 4});
      tally.cost += cost.sectors;
      tally.ideal += cost.ideal_sectors;
    }
    return tally;
  }

  void Count() {
    if (info_.counting == Counting::kNothing || info_.counting == Counting::kCopy) return;
    LaneMask global = 0;
    LaneMask shared = 0;
    LaneMask local = 0;
    for (LaneMask left = mask_; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const LaneMask bit = LaneMask{1} << lane;
      switch (RegionKind(lane)) {
        case Region::What::kHeap:
          global |= bit;
          break;
        case Region::What::kShared:
          shared |= bit;
          break;
        case Region::What::kLocal:
          local |= bit;
          break;
        default:
          break;
      }
    }
    CountIn(TallyOf::kGlobal, global);
    CountIn(TallyOf::kShared, shared);
    CountIn(TallyOf::kLocal, local);
  }

  // What is accessed, as far as the counters care: also where an access is out of bounds.
  Region::What RegionKind(int lane) const {
    switch (info_.space) {
      case ptx::Space::kShared:
        return Region::What::kShared;
      case ptx::Space::kLocal:
        return Region::What::kLocal;
      case ptx::Space::kConst:
        return Region::What::kConstant;
      case ptx::Space::kGlobal:
        return Region::What::kHeap;
      default:
        break;
    }
    const Region::What what = RegionOf(address(lane), lane).what;
    return what == Region::What::kNone ? Region::What::kHeap : what;
  }

  void Remember(const Region& region);

  MemorySite::Run RunOf(std::size_t run) const {
    const std::uint64_t* delta = site_.delta.data() + run * 8;
    bool contiguous = true;
    bool uniform = true;
    for (std::size_t i = 0; i < 8; ++i) {
      contiguous = contiguous && delta[i] == delta[0] + i * info_.bytes;
      uniform = uniform && delta[i] == delta[0];
    }
    return contiguous ? MemorySite::Run::kContiguous
           : uniform  ? MemorySite::Run::kUniform
                      : MemorySite::Run::kScattered;
  }

  const Step& step_;
  const LaneMask mask_;
  Warp& warp_;
  Launch& launch_;
  const MemoryInfo& info_;
  MemorySite& site_;
  std::byte* (&at_)[kLanes];
  LaneAddresses addresses_ = {};
  Tally cost_;  // of what was counted last
};

void Access::Remember(const Region& region) {
  const LaneMask remembered = std::exchange(site_.mask, 0);
  if (info_.kind != Kind::kLoad && info_.kind != Kind::kStore) return;
  const std::uint64_t base = address(std::countr_zero(mask_));
  const bool shared = region.what == Region::What::kShared;
  const TallyOf where = shared ? TallyOf::kShared : TallyOf::kGlobal;
  Tally* const tally = &site_.tallies[static_cast<std::size_t>(where)];
  std::uint64_t lowest = base;
  std::uint64_t highest = base;
  bool same = remembered == mask_ && site_.tally == tally;
  for (LaneMask left = mask_; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    lowest = std::min(lowest, addresses_[lane]);
    highest = std::max(highest, addresses_[lane]);
    const std::uint64_t delta = addresses_[lane] - base;
    same = same && site_.delta[lane] == delta;
    site_.delta[lane] = delta;
    site_.delta32[lane] = static_cast<std::uint32_t>(delta);
  }
  if (!same) {
    const MemoryGeometry& geometry = launch_.hardware->memory;
    site_.phase_mask = (shared ? geometry.shared_bank_bytes : geometry.sector_bytes) - 1;
    site_.cost.fill(0);
    site_.tally = tally;
    const AccessShape shape = Shape(mask_);
    site_.contiguous = shape == AccessShape::kContiguous;
    site_.uniform = shape == AccessShape::kUniform;
    for (std::size_t run = 0; run < site_.runs.size(); ++run) site_.runs[run] = RunOf(run);
    site_.below = base - lowest;
    site_.above = highest - base + info_.bytes;
  }
  const auto phase = static_cast<std::size_t>(base & site_.phase_mask);
  site_.cost[phase] = static_cast<std::uint16_t>(cost_.cost);
  site_.ideal[phase] = static_cast<std::uint16_t>(cost_.ideal);
  site_.begin = region.begin;
  site_.end = region.end;
  site_.host = region.host;
  site_.mask = mask_;
}

MemoryOrder OrderOf(const ptx::Modifiers& modifiers, Kind kind) {
  const ptx::Suffixes& suffixes = modifiers.suffixes;
  if (modifiers.volatile_access) return MemoryOrder::kVolatile;
  if (suffixes.Has("acquire")) return MemoryOrder::kAcquire;
  if (suffixes.Has("release")) return MemoryOrder::kRelease;
  if (suffixes.Has("acq_rel")) return MemoryOrder::kAcquireRelease;
  const bool atomic = kind == Kind::kAtomic || kind == Kind::kReduction;
  return atomic || suffixes.Has("relaxed") ? MemoryOrder::kRelaxed : MemoryOrder::kWeak;
}

}  // namespace

MemoryScope ScopeOf(const ptx::Suffixes& suffixes) {
  if (suffixes.Has("cta")) return MemoryScope::kBlock;
  return suffixes.Has("sys") ? MemoryScope::kSystem : MemoryScope::kDevice;
}

MemoryInfo& DecodeAccess(Operands& operands, Step& step, std::size_t index, std::uint32_t bytes,
                         MemoryInfo::Kind kind) {
  const ptx::Operand& address = operands[index];
  MemoryInfo info;
  info.kind = kind;
  info.space = operands.modifiers().space;
  info.instruction = step.index;
  info.bytes = bytes;
  info.order = OrderOf(operands.modifiers(), kind);
  info.scope = ScopeOf(operands.modifiers().suffixes);
  FunctionDecoder& decoder = operands.decoder();
  switch (address.base) {
    case ptx::AddressBase::kRegister:
      info.address_bytes = decoder.RegisterBytes(address.reg);
      step.a = decoder.RegisterSlot(address.reg);
      step.data = static_cast<std::uint64_t>(address.offset);
      break;
    case ptx::AddressBase::kSymbol:
      step.a = decoder.SymbolAddress(address.symbol, address.offset, 8);
      break;
    case ptx::AddressBase::kNone:
      step.a = decoder.Constant(static_cast<std::uint64_t>(address.offset), 8);
      break;
  }
  std::vector<MemoryInfo>& memory = decoder.program().memory;
  step.memory = static_cast<std::uint32_t>(memory.size());
  memory.push_back(info);
  return memory.back();
}

LaneMask Resolve(std::byte* frame, const Step& step, LaneMask mask, Warp& warp,
                 std::byte* (&at)[kLanes]) {
  return Access(frame, step, mask, warp, at).Run();
}

}  // namespace warpcheck::emulator
