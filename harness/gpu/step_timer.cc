#include "gpu/step_timer.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace warpcheck::gpu {
namespace {

constexpr std::size_t kMostStepRuns = 9;
constexpr auto kStepBudget = std::chrono::milliseconds(500);  // the time for all runs

// A Streams object owns the streams and the events of the runs.
class Streams {
 public:
  explicit Streams(const DriverApi& api) : api_(api) {}
  ~Streams() {
    for (const CUevent event : events_) (void)api_.EventDestroy(event);
    for (const CUstream stream : streams_) (void)api_.StreamDestroy(stream);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  CUresult SetUp(const std::vector<DeviceStep>& steps) {
    std::uint32_t last = 0;
    for (const DeviceStep& step : steps) last = std::max(last, step.stream);
    for (std::uint32_t i = 0; i <= last; ++i) {
      CUstream stream = nullptr;
      WARPCHECK_TRY_CODE(api_.StreamCreate(&stream, CU_STREAM_NON_BLOCKING));
      streams_.push_back(stream);
    }
    // The first event is the beginning of a run; each step has one before and one after it.
    for (std::size_t i = 0; i < 1 + 2 * steps.size(); ++i) {
      CUevent event = nullptr;
      WARPCHECK_TRY_CODE(api_.EventCreate(&event, CU_EVENT_DEFAULT));
      events_.push_back(event);
    }
    return CUDA_SUCCESS;
  }

  // Runs all steps once. Nothing of a step waits for another stream.
  CUresult Run(const std::vector<DeviceStep>& steps, const StartStep& start,
               std::vector<StepTime>& times) {
    WARPCHECK_TRY_CODE(api_.EventRecord(events_[0], streams_[0]));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const CUstream stream = streams_[steps[i].stream];
      WARPCHECK_TRY_CODE(api_.EventRecord(events_[1 + 2 * i], stream));
      WARPCHECK_TRY_CODE(start(i, stream));
      WARPCHECK_TRY_CODE(api_.EventRecord(events_[2 + 2 * i], stream));
    }
    WARPCHECK_TRY_CODE(api_.CtxSynchronize());
    times.resize(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      WARPCHECK_TRY_CODE(Since(events_[1 + 2 * i], times[i].begin_us));
      WARPCHECK_TRY_CODE(Since(events_[2 + 2 * i], times[i].end_us));
    }
    return CUDA_SUCCESS;
  }

 private:
  CUresult Since(CUevent event, double& us) {
    float ms = 0;
    WARPCHECK_TRY_CODE(api_.EventElapsedTime(&ms, events_[0], event));
    us = double{ms} * 1000;
    return CUDA_SUCCESS;
  }

  const DriverApi& api_;
  std::vector<CUstream> streams_;
  std::vector<CUevent> events_;
};

double LengthOf(const std::vector<StepTime>& times) {
  double end = 0;
  for (const StepTime& time : times) end = std::max(end, time.end_us);
  return end;
}

}  // namespace

// The first run is a warm-up; it counts only if it already takes all of the time.
CUresult TimeSteps(const DriverApi& api, const std::vector<DeviceStep>& steps,
                   const StartStep& start, const std::function<void()>& restore,
                   std::vector<StepTime>& times) {
  times.clear();
  if (steps.empty()) return CUDA_SUCCESS;
  Streams streams(api);
  WARPCHECK_TRY_CODE(streams.SetUp(steps));
  std::vector<std::pair<double, std::vector<StepTime>>> runs;
  const auto begin = std::chrono::steady_clock::now();
  std::vector<StepTime> run;
  restore();
  WARPCHECK_TRY_CODE(streams.Run(steps, start, run));
  while (runs.size() < kMostStepRuns && std::chrono::steady_clock::now() - begin < kStepBudget) {
    restore();
    WARPCHECK_TRY_CODE(streams.Run(steps, start, run));
    runs.emplace_back(LengthOf(run), run);
  }
  if (runs.empty()) runs.emplace_back(LengthOf(run), run);
  const auto median = runs.begin() + static_cast<std::ptrdiff_t>((runs.size() - 1) / 2);
  std::ranges::nth_element(runs, median, {}, [](const auto& each) { return each.first; });
  times = median->second;
  return CUDA_SUCCESS;
}

}  // namespace warpcheck::gpu
