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

// The share of a warp's lanes below which idle lanes are named as the cause.
constexpr double kFewLanes = 0.75;

double Real(const CounterSet& counters, Counter counter) {
  return static_cast<double>(counters.OrZero(counter));
}

// Returns a number with at most one decimal: "32", "5.4".
std::string Short(double value) {
  const std::string text = fmt::format("{:.1f}", value);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

// Returns what a line executes: "load", "store", "load and store", or "access" for atomics.
std::string Accesses(std::uint64_t loads, std::uint64_t stores) {
  if (loads > 0 && stores > 0) return "load and store";
  if (loads > 0) return "load";
  return stores > 0 ? "store" : "access";
}

std::string GlobalAccesses(const CounterSet& counters) {
  return Accesses(counters.OrZero(Counter::kGlobalLoadRequests),
                  counters.OrZero(Counter::kGlobalStoreRequests));
}

// Returns how many lanes of a warp take part in an access on average, or 32 if that was not
// counted.
double LanesAnAccess(double requests, double lanes) {
  return requests > 0 && lanes > 0 ? std::min<double>(kLanes, lanes / requests) : kLanes;
}

double GlobalLanesAnAccess(const CounterSet& counters) {
  return LanesAnAccess(Real(counters, Counter::kGlobalRequests),
                       Real(counters, Counter::kGlobalLanes));
}

// Counts copies to shared memory with the accesses.
double SharedLanesAnAccess(const CounterSet& counters) {
  const double copies = Real(counters, Counter::kAsyncCopyRequests);
  return LanesAnAccess(Real(counters, Counter::kSharedRequests) + copies,
                       Real(counters, Counter::kSharedLanes) + kLanes * copies -
                           Real(counters, Counter::kAsyncCopyIdleLanes));
}

bool FewLanes(double lanes) { return lanes < kFewLanes * kLanes; }

std::string LanesText(double lanes) {
  return fmt::format("{} of {} lanes active", Short(lanes), kLanes);
}

// Returns the number of sectors that the lanes' bytes fill. If the device does not count bytes, it
// is the number that the active lanes would need.
double SectorsOfData(const CounterSet& counters) {
  const auto bytes = counters[Counter::kGlobalBytes];
  if (!bytes) return Real(counters, Counter::kGlobalSectorsIdeal);
  return static_cast<double>(*bytes) / double{kSectorBytes};
}

std::optional<double> CounterValue(const CounterSet& counters, Counter counter) {
  if (!counters[counter]) return std::nullopt;
  return Real(counters, counter);
}

// Returns the whole value as waste, for a measure whose quantity a call does not need.
template <Measure::Value value>
double All(const CounterSet& counters, Counter counter) {
  return value(counters, counter).value_or(0);
}

double WastedSectors(const CounterSet& counters, Counter) {
  return std::max(0.0, Real(counters, Counter::kGlobalSectors) - SectorsOfData(counters));
}

// Returns the sectors of local memory that arrays of threads touch. They count with global memory,
// where local memory lies. A GPU does not tell them from spills: there they are not counted.
double LocalSectors(const CounterSet& counters) {
  return Real(counters, Counter::kLocalArraySectors);
}

// Returns whether a line moves more in local memory than in global memory.
bool IsMostlyLocal(const CounterSet& counters) {
  return LocalSectors(counters) > Real(counters, Counter::kGlobalSectors);
}

// Returns the waste of a line in global and in local memory: values in registers move nothing.
double WastedTraffic(const CounterSet& counters, Counter counter) {
  return WastedSectors(counters, counter) + LocalSectors(counters);
}

std::string LocalAccount(const CounterSet& counters) {
  return fmt::format("an array of each thread in local memory: {} moved",
                     Whole(LocalSectors(counters), "sector"));
}

std::string LocalArrayHint() {
  return "an array whose index the compiler does not know lies in local memory, which is a part of "
         "global memory. It stays in registers if the loops over it are unrolled (#pragma unroll) "
         "and every index is then a constant. A table that threads index belongs into shared or "
         "constant memory";
}

// Returns whether the line moves sectors and uses only a part of them. A line for which this is
// false can still lose time by moving the same data repeatedly.
bool WastesSectors(const CounterSet& counters) {
  return WastedSectors(counters, Counter::kGlobalSectors) >
         0.1 * Real(counters, Counter::kGlobalSectors);
}

std::string GlobalAccount(const CounterSet& counters, Counter) {
  if (IsMostlyLocal(counters)) return LocalAccount(counters);
  const double sectors = Real(counters, Counter::kGlobalSectors);
  std::string text =
      fmt::format("global {}: {} moved", GlobalAccesses(counters), Whole(sectors, "sector"));
  const double data = SectorsOfData(counters);
  if (!WastesSectors(counters) || data <= 0) {
    return text + ", and nearly all of their bytes are used";
  }
  text += fmt::format(" for {} of data: {} for each needed", Whole(data, "sector"),
                      Short(sectors / data));
  const double lanes = GlobalLanesAnAccess(counters);
  if (FewLanes(lanes)) return fmt::format("{} ({})", text, LanesText(lanes));
  const double requests = Real(counters, Counter::kGlobalRequests);
  if (requests <= 0) return text;
  return fmt::format("{} ({} sectors a request, {} is perfect here)", text,
                     Short(sectors / requests), Short(data / requests));
}

std::string IdleLanesHint(const CounterSet&) {
  return "give work to all 32 lanes of a warp, because idle lanes wait for the others. Use blocks "
         "of a multiple of 32 threads, and let each thread process several elements. Where fewer "
         "threads are needed, keep neighbouring ones (the first half, not every second thread)";
}

// Returns whether the lanes touch neighbouring elements, but begin in the middle of a sector, so
// that they move 5 sectors instead of 4.
bool BeginsWithinASector(const CounterSet& counters) {
  return WastedSectors(counters, Counter::kGlobalSectors) <=
         0.25 * Real(counters, Counter::kGlobalSectors);
}

// Returns whether the lanes that are active touch more than twice the sectors that their bytes
// fill: their order costs more than the idle lanes do.
bool AreSpread(const CounterSet& counters) {
  const double ideal = Real(counters, Counter::kGlobalSectorsIdeal);
  return ideal > 0 && Real(counters, Counter::kGlobalSectors) > 2 * ideal;
}

std::string TrafficHint(const CounterSet& counters) {
  constexpr char kOnce[] =
      "if several threads of a block need a value, load it once into shared memory or registers, "
      "and let them read it there. Store each result once";
  if (IsMostlyLocal(counters)) return LocalArrayHint();
  if (!WastesSectors(counters)) return kOnce;
  if (FewLanes(GlobalLanesAnAccess(counters)) && !AreSpread(counters)) {
    return IdleLanesHint(counters);
  }
  if (BeginsWithinASector(counters)) {
    return fmt::format(
        "the first address of each warp is not a multiple of 32 bytes, so that each access moves "
        "one sector more than it needs: {}",
        kOnce);
  }
  return "neighbouring threads (threadIdx.x) should touch neighbouring addresses: let threadIdx.x "
         "count along the array's fastest dimension. If loads and stores need different orders, "
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

// Returns the distance in bytes between the addresses of lanes that are neighbours in x; 0 if it is
// not the same for all.
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

// Returns the hint for a line whose neighbouring threads touch addresses far apart; empty for
// others.
std::string OrderHint(const LaunchRecord& launch, const LineCounters& line,
                      bool (*shows)(const AccessExample&)) {
  const AccessExample* const worst = WorstExample(line, shows);
  if (worst == nullptr || worst->bytes == 0) return {};
  const std::uint64_t step = StepOfLanes(*worst, std::max(launch.block.x, 1U));
  const std::uint64_t apart = step / worst->bytes;
  const bool far = step >= kSectorBytes && step % worst->bytes == 0 && step < (1ULL << 40U);
  if (!far || launch.block.x < 2 || launch.block.y < 2) return {};
  return fmt::format(
      "neighbouring threads (threadIdx.x) should touch neighbouring addresses, but here they are "
      "{0} elements apart. If the line has a[threadIdx.x][threadIdx.y] or a[threadIdx.x * {0} + "
      "threadIdx.y], swap the two indices: a[threadIdx.y][threadIdx.x]. If loads and stores need "
      "different orders, exchange the data through a tile in shared memory",
      Grouped(apart));
}

template <bool (*shows)(const AccessExample&), std::string (*hint)(const CounterSet&)>
std::string TrafficHintOfLine(const LaunchRecord& launch, const LineCounters& line) {
  if (IsMostlyLocal(line.counters)) return hint(line.counters);
  std::string order = WastesSectors(line.counters) ? OrderHint(launch, line, shows) : std::string();
  return order.empty() ? hint(line.counters) : order;
}

// Returns all sectors except those that `left_out` counts.
std::optional<double> SectorsBut(const CounterSet& counters, Counter left_out) {
  if (!counters[Counter::kGlobalSectors] || !counters[left_out]) return std::nullopt;
  return Real(counters, Counter::kGlobalSectors) - Real(counters, left_out);
}

// Returns all sectors, with those of arrays of threads.
std::optional<double> GlobalTrafficValue(const CounterSet& counters, Counter) {
  if (!counters[Counter::kGlobalSectors]) return std::nullopt;
  return Real(counters, Counter::kGlobalSectors) + LocalSectors(counters);
}

// Counts an atomic whose result is used as a load, and what arrays of threads store and load again.
// If a device does not count these atomics apart, counts all atomics.
std::optional<double> GlobalLoadsValue(const CounterSet& counters, Counter) {
  if (!counters[Counter::kGlobalAtomicSectors] || !counters[Counter::kGlobalLoadSectors]) {
    const auto loads = SectorsBut(counters, Counter::kGlobalStoreSectors);
    if (!loads) return std::nullopt;
    return *loads + LocalSectors(counters);
  }
  return Real(counters, Counter::kGlobalLoadSectors) +
         Real(counters, Counter::kGlobalAtomicSectors) + LocalSectors(counters);
}

std::optional<double> GlobalStoresValue(const CounterSet& counters, Counter) {
  return SectorsBut(counters, Counter::kGlobalLoadSectors);
}

// Counts the bytes of each lane. Lanes with the same address count too, because their atomics
// execute one after another.
std::optional<double> StoredBytesValue(const CounterSet& counters, Counter) {
  if (!counters[Counter::kGlobalBytes] || !counters[Counter::kGlobalLoadBytes]) return std::nullopt;
  return Real(counters, Counter::kGlobalBytes) - Real(counters, Counter::kGlobalLoadBytes);
}

std::string StoredBytesAccount(const CounterSet& counters, Counter counter) {
  return fmt::format("global {}: {} stored or updated", GlobalAccesses(counters),
                     Whole(StoredBytesValue(counters, counter).value_or(0), "byte"));
}

std::string StoredBytesHint(const CounterSet&) {
  return "first add up in registers, by shuffles or in shared memory, then update global memory "
         "once for each warp or block: lanes that update the same address wait for each other";
}

// If a line both loads and stores, the waste may come from either.
template <Measure::Value value>
double WastedPart(const CounterSet& counters, Counter counter) {
  return std::min(WastedTraffic(counters, counter), value(counters, counter).value_or(0));
}

std::string LoadsAccount(const CounterSet& counters, Counter counter) {
  if (IsMostlyLocal(counters)) return LocalAccount(counters);
  if (counters.OrZero(Counter::kGlobalStoreSectors) == 0) return GlobalAccount(counters, counter);
  return fmt::format("global load: {} moved",
                     Whole(GlobalLoadsValue(counters, counter).value_or(0), "sector"));
}

std::string StoresAccount(const CounterSet& counters, Counter counter) {
  if (counters.OrZero(Counter::kGlobalLoadSectors) == 0) return GlobalAccount(counters, counter);
  return fmt::format("global store: {} moved",
                     Whole(GlobalStoresValue(counters, counter).value_or(0), "sector"));
}

std::string StoresHint(const CounterSet& counters) {
  if (WastesSectors(counters)) return TrafficHint(counters);
  return "each result should be computed by one thread and stored once";
}

// Returns whether the line accesses shared memory only by asynchronous copies.
bool OnlyCopies(const CounterSet& counters) {
  return counters.OrZero(Counter::kAsyncCopyRequests) > 0 &&
         counters.OrZero(Counter::kSharedRequests) == 0;
}

// Returns how many wavefronts the accesses would need with full warps and without conflicts.
double NeededWavefronts(const CounterSet& counters) {
  return Real(counters, Counter::kSharedWavefrontsIdeal) * SharedLanesAnAccess(counters) / kLanes;
}

// Returns the passes of mbarriers that hold numbers.
double MbarrierPasses(const CounterSet& counters) {
  return Real(counters, Counter::kMbarrierPasses);
}

// An mbarrier that holds numbers is shared memory in another way.
std::optional<double> SharedTrafficValue(const CounterSet& counters, Counter) {
  if (!counters[Counter::kSharedWavefronts]) return std::nullopt;
  return Real(counters, Counter::kSharedWavefronts) + MbarrierPasses(counters);
}

double WastedWavefronts(const CounterSet& counters, Counter) {
  return std::max(0.0, Real(counters, Counter::kSharedWavefronts) - NeededWavefronts(counters)) +
         MbarrierPasses(counters);
}

bool IsMostlyMbarriers(const CounterSet& counters) {
  return MbarrierPasses(counters) > Real(counters, Counter::kSharedWavefronts);
}

std::string WavefrontsAccount(const CounterSet& counters, Counter) {
  if (IsMostlyMbarriers(counters)) {
    return fmt::format("mbarriers that hold numbers: {}", Whole(MbarrierPasses(counters), "pass"));
  }
  const double wavefronts = Real(counters, Counter::kSharedWavefronts);
  const double ideal = Real(counters, Counter::kSharedWavefrontsIdeal);
  if (OnlyCopies(counters)) {
    return fmt::format("copies to shared memory: {}, {} would suffice",
                       Whole(wavefronts, "wavefront"), Whole(ideal));
  }
  const std::string kind = Accesses(counters.OrZero(Counter::kSharedLoadRequests),
                                    counters.OrZero(Counter::kSharedStoreRequests));
  if (wavefronts > ideal && ideal > 0) {
    return fmt::format("{}-way bank conflict in a shared {}: {} wavefronts, {} would suffice",
                       Short(wavefronts / ideal), kind, Whole(wavefronts), Whole(ideal));
  }
  const double lanes = SharedLanesAnAccess(counters);
  const std::string text = fmt::format("shared {}: {}", kind, Whole(wavefronts, "wavefront"));
  return FewLanes(lanes) ? fmt::format("{} ({})", text, LanesText(lanes)) : text;
}

constexpr const char* kCopiesHint =
    "let the 32 lanes of a warp copy bytes that lie side by side in global memory: a whole row of "
    "32 floats, or 16 bytes for each lane. Their first address must be a multiple of their total "
    "size. A copy to shared memory takes one pass for each line of 128 bytes of global memory that "
    "its lanes read, even if they read only a part of the line. Padding the tile does not help";

// Uses the access with the worst conflict, if the line keeps one as an example.
std::string SharedHintOfLine(const LaunchRecord& launch, const LineCounters& line) {
  const CounterSet& counters = line.counters;
  if (IsMostlyMbarriers(counters)) {
    return "use an mbarrier only to wait for other threads: let all warps arrive once, and wait. "
           "Keep numbers in shared memory, or in registers";
  }
  if (counters.OrZero(Counter::kSharedWavefronts) >
      counters.OrZero(Counter::kSharedWavefrontsIdeal)) {
    return OnlyCopies(counters) && !HasBankConflict(line) ? kCopiesHint
                                                          : BankConflictHint(launch, line);
  }
  if (FewLanes(SharedLanesAnAccess(counters))) return IdleLanesHint(counters);
  return "read each value from shared memory once, and keep it in a register if the thread needs "
         "it again";
}

std::string SharedHint(const CounterSet& counters) {
  return SharedHintOfLine(LaunchRecord(), {.where = {}, .counters = counters});
}

// Counts only accesses, not all instructions: where PTX branches around a short `if`, a GPU may
// execute it with all lanes and a predicate that is false for some.
std::optional<double> IdleLanesValue(const CounterSet& counters, Counter) {
  for (const Counter needed : {Counter::kGlobalRequests, Counter::kGlobalLanes,
                               Counter::kSharedRequests, Counter::kSharedLanes}) {
    if (!counters[needed]) return std::nullopt;
  }
  return kLanes *
             (Real(counters, Counter::kGlobalRequests) + Real(counters, Counter::kSharedRequests)) -
         Real(counters, Counter::kGlobalLanes) - Real(counters, Counter::kSharedLanes) +
         Real(counters, Counter::kAsyncCopyIdleLanes);
}

std::string LanesAccount(const CounterSet& counters, Counter) {
  const std::uint64_t accesses = counters.OrZero(Counter::kGlobalRequests) +
                                 counters.OrZero(Counter::kSharedRequests) +
                                 counters.OrZero(Counter::kAsyncCopyRequests);
  const double idle = IdleLanesValue(counters, {}).value_or(0);
  return fmt::format("{} in each memory access on average: {} of warps",
                     LanesText(accesses > 0 ? kLanes - idle / static_cast<double>(accesses) : 0),
                     Counted(accesses, "access"));
}

std::string CounterAccount(const CounterSet& counters, Counter counter) {
  return fmt::format("{} {} (counter {})", Grouped(counters.OrZero(counter)), Info(counter).meaning,
                     Info(counter).name);
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
  return "a thread has at most 255 registers, and fewer if __launch_bounds__ asks for many "
         "threads: "
         "keep fewer values at a time. An array stays in registers if the compiler knows every "
         "index: "
         "unroll the loops over it with #pragma unroll";
}

double WastedPasses(const CounterSet& counters, Counter) {
  return std::max(
      0.0, Real(counters, Counter::kConstantPasses) - Real(counters, Counter::kConstantRequests));
}

std::string ConstantAccount(const CounterSet& counters, Counter) {
  const double loads = Real(counters, Counter::kConstantRequests);
  const double passes = Real(counters, Counter::kConstantPasses);
  std::string text =
      fmt::format("constant load: {} for {} of warps", Whole(passes, "pass"), Whole(loads, "load"));
  if (passes <= loads || loads <= 0) return text + ", one each";
  return text + fmt::format(": the lanes of a warp read {} different addresses on average",
                            Short(passes / loads));
}

std::string ConstantHint(const CounterSet& counters) {
  if (WastedPasses(counters, Counter::kConstantPasses) <= 0) {
    return "load each value once into a register, and use it for all that a thread computes";
  }
  return "constant memory serves one address at a time: let all lanes of a warp read the same "
         "element, with an index that does not depend on threadIdx.x; a table that each lane reads "
         "elsewhere belongs into shared or global memory";
}

std::string FetchesAccount(const CounterSet& counters, Counter) {
  const double sectors = Real(counters, Counter::kTextureSectors);
  const double fetches = Real(counters, Counter::kTextureRequests);
  return fmt::format("texture fetch: {} looked up for {} of warps: {} for each",
                     Whole(sectors, "sector"), Whole(fetches, "fetch"),
                     Short(fetches > 0 ? sectors / fetches : 0));
}

std::string FetchesHint(const CounterSet&) {
  return "fetch each value once, and let neighbouring threads (threadIdx.x) fetch neighbouring "
         "texels. A CUDA array keeps 16 bytes of two rows in a sector; in pitched memory a sector "
         "is a part of one row, so that fetches along a column or a slope need more of them";
}

// Leaves out fetches, which are counted among the loads.
std::optional<double> PointerLoadsValue(const CounterSet& counters, Counter counter) {
  const auto loads = GlobalLoadsValue(counters, counter);
  if (!loads || !counters[Counter::kTextureSectors]) return std::nullopt;
  return *loads - Real(counters, Counter::kTextureSectors);
}

std::string PointerLoadsAccount(const CounterSet& counters, Counter counter) {
  if (IsMostlyLocal(counters)) return LocalAccount(counters);
  return fmt::format("global load: {} loaded by pointers",
                     Whole(PointerLoadsValue(counters, counter).value_or(0), "sector"));
}

std::string PointerLoadsHint(const CounterSet& counters) {
  if (IsMostlyLocal(counters)) return LocalArrayHint();
  return "fetch this value through the texture object, with tex2D()";
}

double SectorsReadByCopies(const HostTraffic& traffic) {
  return static_cast<double>(traffic.copies_read_sectors);
}
double SectorsWrittenByCopies(const HostTraffic& traffic) {
  return static_cast<double>(traffic.copies_written_sectors);
}
double SectorsOfCopies(const HostTraffic& traffic) {
  return SectorsReadByCopies(traffic) + SectorsWrittenByCopies(traffic);
}

bool IsShared(const AccessExample& access) {
  return access.memory == AccessExample::Memory::kShared;
}

}  // namespace

constinit const Measure kGlobalTraffic{.name = "global memory",
                                       .quantity = "sectors moved",
                                       .value = &GlobalTrafficValue,
                                       .waste = &WastedTraffic,
                                       .account = &GlobalAccount,
                                       .hint = &TrafficHint,
                                       .hint_of_line = &TrafficHintOfLine<&IsGlobal, &TrafficHint>,
                                       .shows = &IsGlobal,
                                       .counter = Counter::kGlobalSectors,
                                       .of_copies = &SectorsOfCopies};

constinit const Measure kGlobalLoads{
    .name = "loads from global memory",
    .quantity = "sectors loaded",
    .value = &GlobalLoadsValue,
    .waste = &WastedPart<&GlobalLoadsValue>,
    .account = &LoadsAccount,
    .hint = &TrafficHint,
    .hint_of_line = &TrafficHintOfLine<&IsGlobalLoad, &TrafficHint>,
    .shows = &IsGlobalLoad,
    .of_copies = &SectorsReadByCopies};

constinit const Measure kGlobalStores{
    .name = "stores to global memory",
    .quantity = "sectors stored",
    .value = &GlobalStoresValue,
    .waste = &WastedPart<&GlobalStoresValue>,
    .account = &StoresAccount,
    .hint = &StoresHint,
    .hint_of_line = &TrafficHintOfLine<&IsGlobalStore, &StoresHint>,
    .shows = &IsGlobalStore,
    .of_copies = &SectorsWrittenByCopies};

constinit const Measure kStoredBytes{.name = "bytes stored to global memory",
                                     .quantity = "bytes stored or updated",
                                     .value = &StoredBytesValue,
                                     .waste = &All<&StoredBytesValue>,
                                     .account = &StoredBytesAccount,
                                     .hint = &StoredBytesHint,
                                     .shows = &IsGlobalStore};

constinit const Measure kSharedTraffic{.name = "shared memory",
                                       .quantity = "wavefronts",
                                       .value = &SharedTrafficValue,
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
                                     .quantity = "sectors of local memory",
                                     .value = &CounterValue,
                                     .waste = &Real,
                                     .account = &CounterAccount,
                                     .hint = &LocalMemoryHint,
                                     .counter = Counter::kLocalSectors};

constinit const Measure kBusiestBlock{
    .name = "the busiest block",
    .quantity = "bytes of global memory loaded and stored by the busiest block of each launch",
    .value = &CounterValue,
    .waste = &Real,
    .account = &CounterAccount,
    .counter = Counter::kBusiestBlockBytes,
    .sees_every_way = true};

constinit const Measure kSharedMemory{
    .name = "shared memory",
    .quantity = "bytes of shared memory, counted again each time that a block fills them again",
    .value = &CounterValue,
    .waste = &Real,
    .account = &CounterAccount,
    .counter = Counter::kSharedBytesTaken,
    .sees_every_way = true};

constinit const Measure kConstantReads{.name = "constant memory",
                                       .quantity = "passes",
                                       .value = &CounterValue,
                                       .waste = &WastedPasses,
                                       .account = &ConstantAccount,
                                       .hint = &ConstantHint,
                                       .counter = Counter::kConstantPasses};

constinit const Measure kFetches{.name = "texture fetches",
                                 .quantity = "sectors looked up",
                                 .value = &CounterValue,
                                 .waste = &Real,
                                 .account = &FetchesAccount,
                                 .hint = &FetchesHint,
                                 .counter = Counter::kTextureSectors};

constinit const Measure kPointerLoads{.name = "loads by pointers",
                                      .quantity = "sectors loaded by pointers",
                                      .value = &PointerLoadsValue,
                                      .waste = &All<&PointerLoadsValue>,
                                      .account = &PointerLoadsAccount,
                                      .hint = &PointerLoadsHint};

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
          .quantity = Info(counter).meaning,
          .value = &CounterValue,
          .waste = &Real,
          .account = &CounterAccount,
          .counter = counter};
}

}  // namespace warpcheck
