#include "gpu/launch_timer.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include "base/median.h"
#include "base/round_up.h"

namespace warpcheck::gpu {

namespace {

// The functions of NVML that are used here. They are declared by hand, because NVML's header is in
// a package of its own (NVML API Reference Guide: nvmlReturn_t 0 is success; nvmlClockType_t 1 is
// the SM's clock, 2 the memory's).
struct Nvml {
  int (*Init)() = nullptr;
  int (*DeviceByBus)(const char* bus, void** device) = nullptr;
  int (*ClockInfo)(void* device, int type, unsigned* mhz) = nullptr;
};
constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;

// Loads and initialises NVML once for each process; returns nothing if that fails.
const std::optional<Nvml>& TheNvml() {
  static const std::optional<Nvml> nvml = []() -> std::optional<Nvml> {
    void* const library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::nullopt;
    Nvml found;
    const auto find = [&](auto& function, const char* name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      return function != nullptr;
    };
    const bool complete = find(found.Init, "nvmlInit_v2") &&
                          find(found.DeviceByBus, "nvmlDeviceGetHandleByPciBusId_v2") &&
                          find(found.ClockInfo, "nvmlDeviceGetClockInfo");
    if (!complete || found.Init() != 0) return std::nullopt;
    return found;
  }();
  return nvml;
}

constexpr std::size_t kMostRuns = 20;
constexpr int kTimedCopies = 5;
constexpr auto kBudget = std::chrono::milliseconds(50);  // the time for all runs
constexpr std::uint64_t kLeastCopyBytes = std::uint64_t{64} << 20;

// A Bench owns the device memory and the CUDA events of one measurement; its destructor frees them.
class Bench {
 public:
  Bench(const DriverApi& api, std::span<const MemoryRange> memory, std::uint64_t l2_bytes)
      : api_(api),
        memory_(memory),
        flush_bytes_(2 * l2_bytes),
        copy_bytes_(std::max(kLeastCopyBytes, 4 * l2_bytes)) {}

  ~Bench() {
    for (const CUdeviceptr block : {saved_, scratch_}) {
      if (block != 0) (void)api_.MemFree(block);
    }
    for (const CUevent event : {begin_, end_}) {
      if (event != nullptr) (void)api_.EventDestroy(event);
    }
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  std::uint64_t copy_bytes() const { return copy_bytes_; }

  CUresult SetUp() {
    std::uint64_t bytes = 0;
    for (const MemoryRange& range : memory_) bytes += RoundUp(range.bytes, kAlignment);
    if (bytes != 0) WARPCHECK_TRY_CODE(api_.MemAlloc(&saved_, bytes));
    const std::uint64_t scratch = std::max(flush_bytes_, 2 * copy_bytes_);
    WARPCHECK_TRY_CODE(api_.MemAlloc(&scratch_, scratch));
    WARPCHECK_TRY_CODE(api_.EventCreate(&begin_, CU_EVENT_DEFAULT));
    WARPCHECK_TRY_CODE(api_.EventCreate(&end_, CU_EVENT_DEFAULT));
    WARPCHECK_TRY_CODE(api_.MemsetD8Async(scratch_, 0, scratch, nullptr));
    return Transfer(true);
  }

  CUresult Restore() { return Transfer(false); }

  CUresult FlushL2() { return api_.MemsetD8Async(scratch_, 0, flush_bytes_, nullptr); }

  // Returns how many microseconds `start` takes on the device.
  CUresult Time(const std::function<CUresult()>& start, double& us) {
    float ms = 0;
    WARPCHECK_TRY_CODE(api_.EventRecord(begin_, nullptr));
    WARPCHECK_TRY_CODE(start());
    WARPCHECK_TRY_CODE(api_.EventRecord(end_, nullptr));
    WARPCHECK_TRY_CODE(api_.CtxSynchronize());
    WARPCHECK_TRY_CODE(api_.EventElapsedTime(&ms, begin_, end_));
    us = double{ms} * 1000;
    return CUDA_SUCCESS;
  }

  CUresult Copy() {
    return api_.MemcpyDtoDAsync(scratch_ + copy_bytes_, scratch_, copy_bytes_, nullptr);
  }

 private:
  static constexpr std::uint64_t kAlignment = 256;

  CUresult Transfer(bool save) {
    CUdeviceptr copy = saved_;
    for (const MemoryRange& range : memory_) {
      if (range.bytes == 0) continue;
      WARPCHECK_TRY_CODE(api_.MemcpyDtoDAsync(save ? copy : range.begin, save ? range.begin : copy,
                                              range.bytes, nullptr));
      copy += RoundUp(range.bytes, kAlignment);
    }
    return CUDA_SUCCESS;
  }

  const DriverApi& api_;
  const std::span<const MemoryRange> memory_;
  const std::uint64_t flush_bytes_;
  const std::uint64_t copy_bytes_;
  CUdeviceptr saved_ = 0;
  CUdeviceptr scratch_ = 0;
  CUevent begin_ = nullptr;
  CUevent end_ = nullptr;
};

// The first run is a warm-up; it counts only if it already takes all of the time.
CUresult TimeRuns(Bench& bench, const std::function<CUresult()>& start, std::vector<double>& us) {
  const auto begin = std::chrono::steady_clock::now();
  const auto spent = [&] { return std::chrono::steady_clock::now() - begin; };
  double first = 0;
  WARPCHECK_TRY_CODE(bench.FlushL2());
  WARPCHECK_TRY_CODE(bench.Time(start, first));
  auto longest = spent();
  while (us.size() < kMostRuns && spent() + longest < kBudget) {
    const auto before = spent();
    WARPCHECK_TRY_CODE(bench.Restore());
    WARPCHECK_TRY_CODE(bench.FlushL2());
    WARPCHECK_TRY_CODE(bench.Time(start, us.emplace_back()));
    longest = std::max(longest, spent() - before);
  }
  if (us.empty()) us.push_back(first);
  return CUDA_SUCCESS;
}

CUresult TimeCopies(Bench& bench, double& bytes_per_second) {
  std::vector<double> us(kTimedCopies);
  for (double& each : us) {
    WARPCHECK_TRY_CODE(bench.Time([&] { return bench.Copy(); }, each));
  }
  const double median = MedianOf(us);
  if (median > 0) bytes_per_second = 2.0 * static_cast<double>(bench.copy_bytes()) / median * 1e6;
  return CUDA_SUCCESS;
}

}  // namespace

Clocks ReadClocks(const DriverApi& api, CUdevice device, const DeviceProperties& properties) {
  const Clocks highest = {.sm_mhz = properties.clock_khz / 1000,
                          .memory_mhz = properties.memory_clock_khz / 1000};
  std::array<char, 32> bus = {};
  if (api.DeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()) - 1, device) != CUDA_SUCCESS) {
    return highest;
  }
  const std::optional<Nvml>& nvml = TheNvml();
  void* handle = nullptr;
  if (!nvml || nvml->DeviceByBus(bus.data(), &handle) != 0) return highest;
  unsigned sm = 0;
  unsigned memory = 0;
  if (nvml->ClockInfo(handle, kSmClock, &sm) != 0 ||
      nvml->ClockInfo(handle, kMemoryClock, &memory) != 0) {
    return highest;
  }
  return {.sm_mhz = sm, .memory_mhz = memory};
}

TimedLaunch TimeLaunch(const DriverApi& api, CUdevice device, const DeviceProperties& properties,
                       std::span<const MemoryRange> memory, const std::function<CUresult()>& start,
                       const std::function<CUresult()>& measure) {
  TimedLaunch timed;
  Bench bench(api, memory, properties.l2_bytes);
  if (bench.SetUp() != CUDA_SUCCESS) return timed;
  std::vector<double> us;
  OutputCapture capture;
  timed.error = TimeRuns(bench, start, us);
  const Clocks clocks = ReadClocks(api, device, properties);
  if (timed.error == CUDA_SUCCESS) timed.error = bench.Restore();
  LaunchTiming timing;
  // After `measure`, which CUPTI watches, an H100 copied at 85 % of its speed.
  if (timed.error == CUDA_SUCCESS) timed.error = TimeCopies(bench, timing.copy_bytes_per_second);
  if (timed.error == CUDA_SUCCESS && measure) {
    timed.error = measure();
    if (timed.error == CUDA_SUCCESS) timed.error = bench.Restore();
  }
  OutputCapture::Text output = capture.Finish();
  if (timed.error != CUDA_SUCCESS) {
    timed.output = std::move(output);
    return timed;
  }
  timing.median_us = MedianOf(us);
  timing.fastest_us = std::ranges::min(us);
  timing.runs = static_cast<std::uint32_t>(us.size());
  timing.sm_clock_mhz = clocks.sm_mhz;
  timing.memory_clock_mhz = clocks.memory_mhz;
  timed.timing = timing;
  return timed;
}

double CopyBandwidth(const DriverApi& api, const DeviceProperties& properties) {
  Bench bench(api, {}, properties.l2_bytes);
  double bytes_per_second = 0;
  if (bench.SetUp() != CUDA_SUCCESS) return 0;
  return TimeCopies(bench, bytes_per_second) == CUDA_SUCCESS ? bytes_per_second : 0;
}

ColdCache::~ColdCache() {
  if (block_ != 0) (void)api_.MemFree(block_);
}

CUresult ColdCache::Flush() {
  if (bytes_ == 0) return CUDA_SUCCESS;
  if (block_ == 0) WARPCHECK_TRY_CODE(api_.MemAlloc(&block_, bytes_));
  WARPCHECK_TRY_CODE(api_.MemsetD8Async(block_, 0, bytes_, nullptr));
  return api_.CtxSynchronize();
}

}  // namespace warpcheck::gpu
