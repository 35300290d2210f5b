#include "checks/measure.h"

#include <fmt/format.h>

#include "checks/text.h"

namespace warpcheck {
namespace {

constexpr int kWarpLanes = 32;  // on every NVIDIA GPU

std::uint64_t At(const CounterSet& counters, Counter counter) {
  return counters[counter].value_or(0);
}

double Real(const CounterSet& counters, Counter counter) {
  return static_cast<double>(At(counters, counter));
}

// By what was executed: "access" for atomics and the like.
std::string Accesses(std::uint64_t loads, std::uint64_t stores) {
  if (loads > 0 && stores > 0) return "load and store";
  if (loads > 0) return "load";
  return stores > 0 ? "store" : "access";
}

std::uint64_t GlobalRequests(const CounterSet& counters) {
  return At(counters, Counter::kGlobalLoadRequests) + At(counters, Counter::kGlobalStoreRequests);
}

bool TouchesGlobal(const CounterSet& counters) {
  const auto sectors = counters[Counter::kGlobalSectors];
  return !sectors || *sectors > 0;
}

bool TouchesShared(const CounterSet& counters) {
  const auto wavefronts = counters[Counter::kSharedWavefronts];
  return !wavefronts || *wavefronts > 0;
}

double LostSectors(const CounterSet& counters, Counter) {
  return Real(counters, Counter::kGlobalSectors) - Real(counters, Counter::kGlobalSectorsIdeal);
}

double LostWavefronts(const CounterSet& counters, Counter) {
  return static_cast<double>(ExcessiveWavefronts(counters).value_or(0));
}

std::string SectorsAccount(const CounterSet& counters, Counter) {
  const std::uint64_t sectors = At(counters, Counter::kGlobalSectors);
  const std::uint64_t ideal = At(counters, Counter::kGlobalSectorsIdeal);
  const std::string kind = Accesses(At(counters, Counter::kGlobalLoadRequests),
                                    At(counters, Counter::kGlobalStoreRequests));
  std::string text =
      fmt::format("global {}: {} sectors touched, {} would do (coalescing {}", kind,
                  Grouped(sectors), Grouped(ideal), Ratio(Coalescing(counters).value_or(0)));
  if (const auto requests = static_cast<double>(GlobalRequests(counters)); requests > 0) {
    text += fmt::format("; {} sectors a request, {} is perfect here",
                        Ratio(static_cast<double>(sectors) / requests),
                        Ratio(static_cast<double>(ideal) / requests));
  }
  return text + ")";
}

std::string WavefrontsAccount(const CounterSet& counters, Counter) {
  const std::uint64_t wavefronts = At(counters, Counter::kSharedWavefronts);
  const std::uint64_t ideal = At(counters, Counter::kSharedWavefrontsIdeal);
  const std::string kind = Accesses(At(counters, Counter::kSharedLoadRequests),
                                    At(counters, Counter::kSharedStoreRequests));
  const double ways = ideal == 0 ? 1 : static_cast<double>(wavefronts) / static_cast<double>(ideal);
  const std::string text = fmt::format("{:.1f}", ways);
  return fmt::format("{}-way bank conflict in a shared {}: {} wavefronts, {} would do",
                     text.ends_with(".0") ? text.substr(0, text.size() - 2) : text, kind,
                     Grouped(wavefronts), Grouped(ideal));
}

std::string LoadSectorsHint(const CounterSet&) {
  return "load what several threads of a block need once, into shared memory, and let them read it "
         "there";
}

// Accesses that are neither loads nor stores.
std::uint64_t Atomics(const CounterSet& counters) {
  return At(counters, Counter::kGlobalRequests) - GlobalRequests(counters);
}

std::string LoadsAccount(const CounterSet& counters, double loaded, std::string_view unit) {
  const std::uint64_t atomics = Atomics(counters);
  return fmt::format("global {}: {} {} in {}", atomics > 0 ? "load and atomic" : "load",
                     Grouped(static_cast<std::uint64_t>(loaded)), unit,
                     Counted(At(counters, Counter::kGlobalLoadRequests) + atomics, "request"));
}

// Atomics read too: each counts as a whole warp's words.
double LoadedSectors(const CounterSet& counters, Counter) {
  constexpr double kSectorsOfAWarp = kWarpLanes * 4.0 / 32;
  return Real(counters, Counter::kGlobalLoadSectors) +
         kSectorsOfAWarp * static_cast<double>(Atomics(counters));
}

double LoadedBytes(const CounterSet& counters, Counter) {
  constexpr double kBytesOfAWarp = kWarpLanes * 4;
  return Real(counters, Counter::kGlobalLoadBytes) +
         kBytesOfAWarp * static_cast<double>(Atomics(counters));
}

// What `loaded` gives where the counter, and those of requests, are measured.
template <double (*loaded)(const CounterSet&, Counter)>
std::optional<double> LoadsValue(const CounterSet& counters, Counter counter) {
  for (const Counter needed : {counter, Counter::kGlobalRequests, Counter::kGlobalLoadRequests,
                               Counter::kGlobalStoreRequests}) {
    if (!counters[needed]) return std::nullopt;
  }
  return loaded(counters, counter);
}

std::string LoadSectorsAccount(const CounterSet& counters, Counter counter) {
  return LoadsAccount(counters, LoadedSectors(counters, counter), "sectors");
}

std::string LoadBytesAccount(const CounterSet& counters, Counter counter) {
  return LoadsAccount(counters, LoadedBytes(counters, counter), "bytes");
}

std::string LoadBytesHint(const CounterSet&) {
  return "what several threads need, one of them should load: keep it in shared memory, or in "
         "registers, for all; the larger a block's tile, the smaller the share of its halo";
}

double LanesOfAccesses(const CounterSet& counters) {
  return kWarpLanes *
         (Real(counters, Counter::kGlobalRequests) + Real(counters, Counter::kSharedRequests));
}

double ActiveLanesOf(const CounterSet& counters) {
  return Real(counters, Counter::kGlobalLanes) + Real(counters, Counter::kSharedLanes);
}

double IdleLanes(const CounterSet& counters, Counter) {
  return LanesOfAccesses(counters) - ActiveLanesOf(counters);
}

std::string LanesAccount(const CounterSet& counters, Counter) {
  const double lanes = LanesOfAccesses(counters);
  const double active = ActiveLanesOf(counters);
  return fmt::format(
      "{} of {} lanes active in an access of memory: {} accesses of warps",
      Ratio(lanes > 0 ? kWarpLanes * active / lanes : 0), kWarpLanes,
      Grouped(At(counters, Counter::kGlobalRequests) + At(counters, Counter::kSharedRequests)));
}

std::string LanesHint(const CounterSet&) {
  return "lanes that have nothing to do wait for the others of their warp: let neighbouring "
         "threads "
         "do the work (the first half of them, not every second one), and let each do more on its "
         "own before few combine the results";
}

// What is no load: stores, and atomics.
double StoredSectors(const CounterSet& counters, Counter) {
  return Real(counters, Counter::kGlobalSectors) - Real(counters, Counter::kGlobalLoadSectors);
}

std::optional<double> StoreSectorsValue(const CounterSet& counters, Counter counter) {
  if (!counters[Counter::kGlobalSectors] || !counters[Counter::kGlobalLoadSectors]) {
    return std::nullopt;
  }
  return StoredSectors(counters, counter);
}

std::string StoreSectorsAccount(const CounterSet& counters, Counter counter) {
  return fmt::format(
      "global store: {} sectors in {}",
      Grouped(static_cast<std::uint64_t>(StoredSectors(counters, counter))),
      Counted(At(counters, Counter::kGlobalRequests) - At(counters, Counter::kGlobalLoadRequests),
              "request"));
}

std::string StoreSectorsHint(const CounterSet&) {
  return "each result should be computed and stored by one thread, once";
}

std::string CoalescingHint(const CounterSet&) {
  return "neighbouring threads (threadIdx.x) should touch neighbouring addresses: let threadIdx.x "
         "count along the array's fastest dimension; where loads and stores want different orders, "
         "exchange the data through a tile in shared memory";
}

std::string WavefrontsHint(const CounterSet&) {
  return "word i of shared memory lies in bank i % 32, and one pass serves one word of each bank: "
         "pad the rows of the tile by one word, so that a column lies in 32 different banks";
}

std::optional<double> CoalescingValue(const CounterSet& counters, Counter) {
  return Coalescing(counters);
}

std::optional<double> WavefrontsValue(const CounterSet& counters, Counter) {
  const auto excessive = ExcessiveWavefronts(counters);
  if (!excessive) return std::nullopt;
  return static_cast<double>(*excessive);
}

std::optional<double> SectorsPerRequestValue(const CounterSet& counters, Counter) {
  if (!counters[Counter::kGlobalSectors] || !counters[Counter::kGlobalLoadRequests] ||
      !counters[Counter::kGlobalStoreRequests]) {
    return std::nullopt;
  }
  const auto requests = static_cast<double>(GlobalRequests(counters));
  return requests > 0 ? Real(counters, Counter::kGlobalSectors) / requests : 0;
}

std::optional<double> ActiveLanesValue(const CounterSet& counters, Counter) {
  if (!counters[Counter::kGlobalRequests] || !counters[Counter::kGlobalLanes] ||
      !counters[Counter::kSharedRequests] || !counters[Counter::kSharedLanes]) {
    return std::nullopt;
  }
  const double lanes = LanesOfAccesses(counters);
  return lanes > 0 ? ActiveLanesOf(counters) / lanes : 0;
}

std::optional<double> CounterValue(const CounterSet& counters, Counter counter) {
  if (!counters[counter]) return std::nullopt;
  return Real(counters, counter);
}

std::string CounterAccount(const CounterSet& counters, Counter counter) {
  return fmt::format("{} = {} ({})", Info(counter).name, Grouped(At(counters, counter)),
                     Info(counter).meaning);
}

Measure GlobalMeasure(std::string name, decltype(Measure::value) value) {
  return {.name = std::move(name),
          .scope = Measure::Scope::kEveryLine,
          .value = value,
          .applies = &TouchesGlobal,
          .loss = &LostSectors,
          .account = &SectorsAccount,
          .hint = &CoalescingHint,
          .nothing = "no kernel accessed global memory"};
}

std::string LocalMemoryHint(const CounterSet&) {
  return "a thread has at most 255 registers, and fewer where __launch_bounds__ asks for many "
         "threads: keep fewer values at a time; and an array is sure to stay in registers where "
         "every "
         "index is known to the compiler: unroll the loops over it with #pragma unroll";
}

}  // namespace

const Measure& CoalescingMeasure() {
  static const Measure measure = GlobalMeasure("coalescing", &CoalescingValue);
  return measure;
}

const Measure& LaunchCoalescingMeasure() {
  static const Measure measure = [] {
    Measure whole = GlobalMeasure("coalescing of a launch", &CoalescingValue);
    whole.scope = Measure::Scope::kEveryLaunch;
    return whole;
  }();
  return measure;
}

const Measure& SectorsPerRequestMeasure() {
  static const Measure measure = GlobalMeasure("sectors a request", &SectorsPerRequestValue);
  return measure;
}

const Measure& ExcessiveWavefrontsMeasure() {
  static const Measure measure{.name = "excessive wavefronts",
                               .scope = Measure::Scope::kEveryLaunch,
                               .value = &WavefrontsValue,
                               .applies = &TouchesShared,
                               .loss = &LostWavefronts,
                               .account = &WavefrontsAccount,
                               .hint = &WavefrontsHint,
                               .nothing = {}};
  return measure;
}

const Measure& GlobalLoadSectorsMeasure() {
  static const Measure measure = [] {
    Measure sectors = CounterMeasure(Counter::kGlobalLoadSectors);
    sectors.name = "global load sectors";
    sectors.value = &LoadsValue<&LoadedSectors>;
    sectors.loss = &LoadedSectors;
    sectors.account = &LoadSectorsAccount;
    sectors.hint = &LoadSectorsHint;
    return sectors;
  }();
  return measure;
}

const Measure& GlobalLoadBytesMeasure() {
  static const Measure measure = [] {
    Measure bytes = CounterMeasure(Counter::kGlobalLoadBytes);
    bytes.name = "bytes loaded from global memory";
    bytes.value = &LoadsValue<&LoadedBytes>;
    bytes.loss = &LoadedBytes;
    bytes.account = &LoadBytesAccount;
    bytes.hint = &LoadBytesHint;
    return bytes;
  }();
  return measure;
}

const Measure& GlobalStoreSectorsMeasure() {
  static const Measure measure = [] {
    Measure sectors = CounterMeasure(Counter::kGlobalSectors);
    sectors.name = "sectors stored to global memory";
    sectors.value = &StoreSectorsValue;
    sectors.loss = &StoredSectors;
    sectors.account = &StoreSectorsAccount;
    sectors.hint = &StoreSectorsHint;
    return sectors;
  }();
  return measure;
}

const Measure& ActiveLanesMeasure() {
  static const Measure measure{.name = "active lanes",
                               .scope = Measure::Scope::kSum,
                               .value = &ActiveLanesValue,
                               .applies = nullptr,
                               .loss = &IdleLanes,
                               .account = &LanesAccount,
                               .hint = &LanesHint,
                               .nothing = {}};
  return measure;
}

const Measure& LocalMemoryMeasure() {
  static const Measure measure = [] {
    Measure sectors = CounterMeasure(Counter::kLocalSectors);
    sectors.name = "sectors of local memory";
    sectors.hint = &LocalMemoryHint;
    return sectors;
  }();
  return measure;
}

Measure CounterMeasure(Counter counter) {
  return {.name = std::string(Info(counter).name),
          .scope = Measure::Scope::kSum,
          .value = &CounterValue,
          .applies = nullptr,
          .loss = &Real,
          .account = &CounterAccount,
          .hint = nullptr,
          .nothing = {},
          .counter = counter};
}

}  // namespace warpcheck
