#include "checks/measure.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "checks/failures/bank_conflict_hint.h"
#include "checks/failures/numbers.h"
#include "device/counters.h"
#include "device/lanes.h"
#include "hardware/geometry.h"

namespace warpcheck {
namespace {

// Below this share of its lanes, a warp's idle lanes are the cause that is named.
constexpr double kFewLanes = 0.75;

std::uint64_t At(const CounterSet& counters, Counter counter) {
  return counters[counter].value_or(0);
}

double Real(const CounterSet& counters, Counter counter) {
  return static_cast<double>(At(counters, counter));
}

// "32" and "5.4": ways of a conflict, lanes, sectors for each needed.
std::string Short(double value) {
  const std::string text = fmt::format("{:.1f}", value);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

// By what was executed: "access" for atomics and the like.
std::string Accesses(std::uint64_t loads, std::uint64_t stores) {
  if (loads > 0 && stores > 0) return "load and store";
  if (loads > 0) return "load";
  return stores > 0 ? "store" : "access";
}

std::string GlobalAccesses(const CounterSet& counters) {
  return Accesses(At(counters, Counter::kGlobalLoadRequests),
                  At(counters, Counter::kGlobalStoreRequests));
}

// Of a warp's lanes, how many take part in an access on the average; all where nobody counted.
double LanesAnAccess(double requests, double lanes) {
  return requests > 0 && lanes > 0 ? std::min<double>(kLanes, lanes / requests) : kLanes;
}

double GlobalLanesAnAccess(const CounterSet& counters) {
  return LanesAnAccess(Real(counters, Counter::kGlobalRequests),
                       Real(counters, Counter::kGlobalLanes));
}

double SharedLanesAnAccess(const CounterSet& counters) {
  return LanesAnAccess(Real(counters, Counter::kSharedRequests),
                       Real(counters, Counter::kSharedLanes));
}

bool FewLanes(double lanes) { return lanes < kFewLanes * kLanes; }

std::string LanesText(double lanes) {
  return fmt::format("{} of {} lanes active", Short(lanes), kLanes);
}

// Sectors that the lanes' bytes fill; where a device does not count bytes, those that the active
// lanes would need.
double SectorsOfData(const CounterSet& counters) {
  const auto bytes = counters[Counter::kGlobalBytes];
  if (!bytes) return Real(counters, Counter::kGlobalSectorsIdeal);
  return static_cast<double>(*bytes) / double{kSectorBytes};
}

std::optional<double> CounterValue(const CounterSet& counters, Counter counter) {
  if (!counters[counter]) return std::nullopt;
  return Real(counters, counter);
}

// The part of a line's value where none of it is needed.
template <Measure::Value value>
double All(const CounterSet& counters, Counter counter) {
  return value(counters, counter).value_or(0);
}

double WastedSectors(const CounterSet& counters, Counter) {
  return std::max(0.0, Real(counters, Counter::kGlobalSectors) - SectorsOfData(counters));
}

// Whether a line's own sectors are what it loses, and not that it moves them again and again.
bool WastesSectors(const CounterSet& counters) {
  return WastedSectors(counters, Counter::kGlobalSectors) >
         0.1 * Real(counters, Counter::kGlobalSectors);
}

std::string GlobalAccount(const CounterSet& counters, Counter) {
  const double sectors = Real(counters, Counter::kGlobalSectors);
  std::string text =
      fmt::format("global {}: {} sectors moved", GlobalAccesses(counters), Whole(sectors));
  const double data = SectorsOfData(counters);
  if (!WastesSectors(counters) || data <= 0) {
    return text + ", all of them for data that a lane asked for";
  }
  text += fmt::format(" for {} sectors of data: {} for each needed", Whole(data),
                      Short(sectors / data));
  const double lanes = GlobalLanesAnAccess(counters);
  if (FewLanes(lanes)) return fmt::format("{} ({})", text, LanesText(lanes));
  const double requests = Real(counters, Counter::kGlobalRequests);
  if (requests <= 0) return text;
  return fmt::format("{} ({} sectors a request, {} is perfect here)", text,
                     Short(sectors / requests), Short(data / requests));
}

std::string IdleLanesHint(const CounterSet&) {
  return "lanes that have nothing to do wait for the others of their warp: give all 32 of them "
         "work. Blocks of a multiple of 32 threads, and neighbouring threads that do it (the first "
         "half of them, not every second one)";
}

// Neighbouring lanes that touch neighbouring elements, but begin in the middle of a sector: 5 where
// 4 would do.
bool BeginsWithinASector(const CounterSet& counters) {
  return WastedSectors(counters, Counter::kGlobalSectors) <=
         0.25 * Real(counters, Counter::kGlobalSectors);
}

std::string TrafficHint(const CounterSet& counters) {
  constexpr char kOnce[] =
      "load what several threads of a block need once, into shared memory or registers, and let "
      "them read it there; store each result once";
  if (!WastesSectors(counters)) return kOnce;
  if (FewLanes(GlobalLanesAnAccess(counters))) return IdleLanesHint(counters);
  if (BeginsWithinASector(counters)) {
    return fmt::format(
        "warps begin in the middle of a sector of 32 bytes here, which costs one "
        "more each time, again for every neighbour that is read: {}",
        kOnce);
  }
  return "neighbouring threads (threadIdx.x) should touch neighbouring addresses: let threadIdx.x "
         "count along the array's fastest dimension; where loads and stores want different orders, "
         "exchange the data through a tile in shared memory";
}

bool IsGlobal(const AccessExample& access) {
  return access.memory == AccessExample::Memory::kGlobal;
}

bool IsGlobalLoad(const AccessExample& access) {
  return IsGlobal(access) && access.kind != AccessExample::Kind::kStore &&
         access.kind != AccessExample::Kind::kReduction;
}

bool IsGlobalStore(const AccessExample& access) {
  return IsGlobal(access) && access.kind != AccessExample::Kind::kLoad;
}

// How many bytes lie between what each lane and the next one touch, where that is the same for all
// that are neighbours in x; 0 where it is not.
std::uint64_t StepOfLanes(const AccessExample& access, std::uint32_t width) {
  std::uint64_t step = 0;
  for (std::uint32_t lane = 0; lane + 1 < kLanes; ++lane) {
    const bool both = ((access.mask >> lane) & 3U) == 3U;
    if (!both || (lane + 1) % width == 0) continue;
    const std::uint64_t one = access.offsets[lane + 1] - access.offsets[lane];
    if (step != 0 && one != step) return 0;
    step = one;
  }
  return step;
}

// Of a line whose neighbouring threads lie far apart, with the distance; else empty.
std::string OrderHint(const LaunchRecord& launch, const LineCounters& line,
                      bool (*shows)(const AccessExample&)) {
  const AccessExample* const worst = WorstExample(line, shows);
  if (worst == nullptr || worst->bytes == 0) return {};
  const std::uint64_t step = StepOfLanes(*worst, std::max(launch.block.x, 1U));
  const std::uint64_t apart = step / worst->bytes;
  const bool far = step >= kSectorBytes && step % worst->bytes == 0 && step < (1ULL << 40U);
  if (!far || launch.block.x < 2 || launch.block.y < 2) return {};
  return fmt::format(
      "neighbouring threads (threadIdx.x) should touch neighbouring addresses, and here they lie "
      "{0} "
      "elements apart, as in a[threadIdx.x][threadIdx.y] or a[threadIdx.x * {0} + threadIdx.y]: "
      "swap the two, a[threadIdx.y][threadIdx.x]; where loads and stores want different orders, "
      "exchange the data through a tile in shared memory",
      Grouped(apart));
}

template <bool (*shows)(const AccessExample&), std::string (*hint)(const CounterSet&)>
std::string TrafficHintOfLine(const LaunchRecord& launch, const LineCounters& line) {
  std::string order = WastesSectors(line.counters) ? OrderHint(launch, line, shows) : std::string();
  return order.empty() ? hint(line.counters) : order;
}

// All sectors but those that `left_out` counts.
std::optional<double> SectorsBut(const CounterSet& counters, Counter left_out) {
  if (!counters[Counter::kGlobalSectors] || !counters[left_out]) return std::nullopt;
  return Real(counters, Counter::kGlobalSectors) - Real(counters, left_out);
}

// An atomic whose result is used does the work of a load. Where a device does not tell these, all
// count.
std::optional<double> GlobalLoadsValue(const CounterSet& counters, Counter) {
  if (!counters[Counter::kGlobalAtomicSectors] || !counters[Counter::kGlobalLoadSectors]) {
    return SectorsBut(counters, Counter::kGlobalStoreSectors);
  }
  return Real(counters, Counter::kGlobalLoadSectors) +
         Real(counters, Counter::kGlobalAtomicSectors);
}

std::optional<double> GlobalStoresValue(const CounterSet& counters, Counter) {
  return SectorsBut(counters, Counter::kGlobalLoadSectors);
}

// Each lane's bytes, at equal addresses too: there, atomics take turns.
std::optional<double> StoredBytesValue(const CounterSet& counters, Counter) {
  if (!counters[Counter::kGlobalBytes] || !counters[Counter::kGlobalLoadBytes]) return std::nullopt;
  return Real(counters, Counter::kGlobalBytes) - Real(counters, Counter::kGlobalLoadBytes);
}

std::string StoredBytesAccount(const CounterSet& counters, Counter counter) {
  return fmt::format("global {}: {} bytes stored or updated", GlobalAccesses(counters),
                     Whole(StoredBytesValue(counters, counter).value_or(0)));
}

std::string StoredBytesHint(const CounterSet&) {
  return "lanes that update one address wait for each other: add up in registers, by shuffles or "
         "in "
         "shared memory first, and update global memory once for each warp or block";
}

// Of a line that loads and stores, all that is wasted may be either's.
template <Measure::Value value>
double WastedPart(const CounterSet& counters, Counter counter) {
  return std::min(WastedSectors(counters, counter), value(counters, counter).value_or(0));
}

std::string LoadsAccount(const CounterSet& counters, Counter counter) {
  if (At(counters, Counter::kGlobalStoreSectors) == 0) return GlobalAccount(counters, counter);
  return fmt::format("global load: {} sectors moved",
                     Whole(GlobalLoadsValue(counters, counter).value_or(0)));
}

std::string StoresAccount(const CounterSet& counters, Counter counter) {
  if (At(counters, Counter::kGlobalLoadSectors) == 0) return GlobalAccount(counters, counter);
  return fmt::format("global store: {} sectors moved",
                     Whole(GlobalStoresValue(counters, counter).value_or(0)));
}

std::string StoresHint(const CounterSet& counters) {
  if (WastesSectors(counters)) return TrafficHint(counters);
  return "each result should be computed and stored by one thread, once";
}

// Of a line that does nothing to shared memory but copy there.
bool OnlyCopies(const CounterSet& counters) {
  return At(counters, Counter::kAsyncCopyRequests) > 0 &&
         At(counters, Counter::kSharedRequests) == 0;
}

// Wavefronts of full warps without conflicts would be fewer by the lanes that are idle.
double NeededWavefronts(const CounterSet& counters) {
  return Real(counters, Counter::kSharedWavefrontsIdeal) * SharedLanesAnAccess(counters) / kLanes;
}

double WastedWavefronts(const CounterSet& counters, Counter) {
  return std::max(0.0, Real(counters, Counter::kSharedWavefronts) - NeededWavefronts(counters));
}

std::string WavefrontsAccount(const CounterSet& counters, Counter) {
  const double wavefronts = Real(counters, Counter::kSharedWavefronts);
  const double ideal = Real(counters, Counter::kSharedWavefrontsIdeal);
  if (OnlyCopies(counters)) {
    return fmt::format("copies to shared memory: {} wavefronts, {} would do", Whole(wavefronts),
                       Whole(ideal));
  }
  const std::string kind = Accesses(At(counters, Counter::kSharedLoadRequests),
                                    At(counters, Counter::kSharedStoreRequests));
  if (wavefronts > ideal && ideal > 0) {
    return fmt::format("{}-way bank conflict in a shared {}: {} wavefronts, {} would do",
                       Short(wavefronts / ideal), kind, Whole(wavefronts), Whole(ideal));
  }
  const double lanes = SharedLanesAnAccess(counters);
  const std::string text = fmt::format("shared {}: {} wavefronts", kind, Whole(wavefronts));
  return FewLanes(lanes) ? fmt::format("{} ({})", text, LanesText(lanes)) : text;
}

constexpr const char* kCopiesHint =
    "a copy to shared memory takes a pass for each line of 128 bytes that its lanes read in global "
    "memory, whatever they fill of it: let the 32 lanes of a warp copy what lies side by side "
    "there "
    "(a whole row of 32 floats, or 16 bytes a lane), from an address that is a multiple of their "
    "bytes; padding the tile does not help";

// With the access that meets most, where the line remembers one.
std::string SharedHintOfLine(const LaunchRecord& launch, const LineCounters& line) {
  const CounterSet& counters = line.counters;
  if (At(counters, Counter::kSharedWavefronts) > At(counters, Counter::kSharedWavefrontsIdeal)) {
    return OnlyCopies(counters) && !HasBankConflict(line) ? kCopiesHint
                                                          : BankConflictHint(launch, line);
  }
  if (FewLanes(SharedLanesAnAccess(counters))) return IdleLanesHint(counters);
  return "keep what a thread needs again in registers, and read it from shared memory once";
}

std::string SharedHint(const CounterSet& counters) {
  return SharedHintOfLine(LaunchRecord(), {.where = {}, .counters = counters});
}

// Accesses alone: a lane that skips a short `if` executes it on a GPU, with its predicate off, but
// not in PTX.
std::optional<double> IdleLanesValue(const CounterSet& counters, Counter) {
  for (const Counter needed : {Counter::kGlobalRequests, Counter::kGlobalLanes,
                               Counter::kSharedRequests, Counter::kSharedLanes}) {
    if (!counters[needed]) return std::nullopt;
  }
  return kLanes *
             (Real(counters, Counter::kGlobalRequests) + Real(counters, Counter::kSharedRequests)) -
         Real(counters, Counter::kGlobalLanes) - Real(counters, Counter::kSharedLanes);
}

std::string LanesAccount(const CounterSet& counters, Counter) {
  const std::uint64_t accesses =
      At(counters, Counter::kGlobalRequests) + At(counters, Counter::kSharedRequests);
  const double lanes =
      Real(counters, Counter::kGlobalLanes) + Real(counters, Counter::kSharedLanes);
  return fmt::format("{} in an access of memory: {} accesses of warps",
                     LanesText(accesses > 0 ? lanes / static_cast<double>(accesses) : 0),
                     Grouped(accesses));
}

std::string CounterAccount(const CounterSet& counters, Counter counter) {
  return fmt::format("{} = {} ({})", Info(counter).name, Grouped(At(counters, counter)),
                     Info(counter).meaning);
}

std::optional<double> CoalescingValue(const CounterSet& counters, Counter) {
  return Coalescing(counters);
}

std::optional<double> ExcessiveWavefrontsValue(const CounterSet& counters, Counter) {
  const auto excessive = ExcessiveWavefronts(counters);
  if (!excessive) return std::nullopt;
  return static_cast<double>(*excessive);
}

std::string LocalMemoryHint(const CounterSet&) {
  return "a thread has at most 255 registers, and fewer where __launch_bounds__ asks for many "
         "threads: keep fewer values at a time; and an array is sure to stay in registers where "
         "every index is known to the compiler: unroll the loops over it with #pragma unroll";
}

bool IsShared(const AccessExample& access) {
  return access.memory == AccessExample::Memory::kShared;
}

}  // namespace

constinit const Measure kGlobalTraffic{.name = "global memory",
                                       .quantity = "sectors moved",
                                       .value = &CounterValue,
                                       .waste = &WastedSectors,
                                       .account = &GlobalAccount,
                                       .hint = &TrafficHint,
                                       .hint_of_line = &TrafficHintOfLine<&IsGlobal, &TrafficHint>,
                                       .shows = &IsGlobal,
                                       .counter = Counter::kGlobalSectors};

constinit const Measure kGlobalLoads{
    .name = "loads from global memory",
    .quantity = "sectors loaded",
    .value = &GlobalLoadsValue,
    .waste = &WastedPart<&GlobalLoadsValue>,
    .account = &LoadsAccount,
    .hint = &TrafficHint,
    .hint_of_line = &TrafficHintOfLine<&IsGlobalLoad, &TrafficHint>,
    .shows = &IsGlobalLoad};

constinit const Measure kGlobalStores{
    .name = "stores to global memory",
    .quantity = "sectors stored",
    .value = &GlobalStoresValue,
    .waste = &WastedPart<&GlobalStoresValue>,
    .account = &StoresAccount,
    .hint = &StoresHint,
    .hint_of_line = &TrafficHintOfLine<&IsGlobalStore, &StoresHint>,
    .shows = &IsGlobalStore};

constinit const Measure kStoredBytes{.name = "bytes stored to global memory",
                                     .quantity = "bytes stored or updated",
                                     .value = &StoredBytesValue,
                                     .waste = &All<&StoredBytesValue>,
                                     .account = &StoredBytesAccount,
                                     .hint = &StoredBytesHint,
                                     .shows = &IsGlobalStore};

constinit const Measure kSharedTraffic{.name = "shared memory",
                                       .quantity = "wavefronts",
                                       .value = &CounterValue,
                                       .waste = &WastedWavefronts,
                                       .account = &WavefrontsAccount,
                                       .hint = &SharedHint,
                                       .hint_of_line = &SharedHintOfLine,
                                       .shows = &IsShared,
                                       .counter = Counter::kSharedWavefronts};

constinit const Measure kIdleLanes{.name = "idle lanes",
                                   .quantity = "lanes idle in accesses",
                                   .value = &IdleLanesValue,
                                   .waste = &All<&IdleLanesValue>,
                                   .account = &LanesAccount,
                                   .hint = &IdleLanesHint};

constinit const Measure kLocalMemory{.name = "sectors of local memory",
                                     .quantity = "local_sectors",
                                     .value = &CounterValue,
                                     .waste = &Real,
                                     .account = &CounterAccount,
                                     .hint = &LocalMemoryHint,
                                     .counter = Counter::kLocalSectors};

constinit const Measure kCoalescing{.name = "coalescing",
                                    .is_work = false,
                                    .value = &CoalescingValue,
                                    .waste = &WastedSectors,
                                    .account = &GlobalAccount,
                                    .hint = &TrafficHint,
                                    .hint_of_line = &TrafficHintOfLine<&IsGlobal, &TrafficHint>,
                                    .shows = &IsGlobal};

constinit const Measure kExcessiveWavefronts{.name = "excessive wavefronts",
                                             .is_work = false,
                                             .value = &ExcessiveWavefrontsValue,
                                             .waste = &All<&ExcessiveWavefrontsValue>,
                                             .account = &WavefrontsAccount,
                                             .hint = &SharedHint,
                                             .hint_of_line = &SharedHintOfLine,
                                             .shows = &IsShared};

Measure CounterMeasure(Counter counter) {
  return {.name = Info(counter).name,
          .quantity = Info(counter).name,
          .value = &CounterValue,
          .waste = &Real,
          .account = &CounterAccount,
          .counter = counter};
}

}  // namespace warpcheck
