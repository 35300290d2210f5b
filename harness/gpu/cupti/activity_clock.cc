#include "gpu/cupti/activity_clock.h"

#include <cupti_activity.h>

#include <new>
#include <utility>

namespace warpcheck::gpu {
namespace {

// CUPTI aligns its records to 8 bytes, and wants buffers of at least one page.
constexpr std::size_t kBufferBytes = std::size_t{64} << 10;
constexpr std::align_val_t kRecordAlignment{8};

ActivityClock* g_clock = nullptr;

}  // namespace

Result<std::unique_ptr<ActivityClock>> ActivityClock::Start(const CuptiApi& api) {
  if (g_clock != nullptr) return Fail("this process measures times already");
  std::unique_ptr<ActivityClock> clock(new ActivityClock(api));
  WARPCHECK_TRY(
      Call(api.ActivityRegisterCallbacks, &ActivityClock::OnRequest, &ActivityClock::OnComplete));
  g_clock = clock.get();
  // The other kind of record for kernels would let them run one after the other.
  WARPCHECK_TRY(Call(api.ActivityEnable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
  return clock;
}

ActivityClock::~ActivityClock() {
  if (g_clock != this) return;
  (void)api_.ActivityDisable.pointer(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  (void)api_.ActivityFlushAll.pointer(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  g_clock = nullptr;
}

Result<double> ActivityClock::Take() {
  // Without a flag, CUPTI returns the buffers whose records are complete. The kernels have ended,
  // so theirs are.
  WARPCHECK_TRY(Call(api_.ActivityFlushAll, 0U));
  const std::lock_guard lock(mutex_);
  const std::uint64_t ns = std::exchange(ns_, 0);
  const std::size_t kernels = std::exchange(kernels_, 0);
  if (std::exchange(without_time_, 0) != 0) return Fail("CUPTI lost the time of a kernel");
  if (kernels == 0) return Fail("CUPTI did not record the kernel");
  return static_cast<double>(ns) / 1000;
}

void ActivityClock::OnRequest(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer =
      static_cast<std::uint8_t*>(::operator new(kBufferBytes, kRecordAlignment, std::nothrow));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *most_records = 0;  // as many as there is room for
}

void ActivityClock::OnComplete(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                               std::size_t valid) {
  if (g_clock != nullptr) g_clock->Read(buffer, valid);
  ::operator delete(buffer, kRecordAlignment);
}

void ActivityClock::Read(std::uint8_t* buffer, std::size_t valid) {
  const std::lock_guard lock(mutex_);
  CUpti_Activity* record = nullptr;
  while (valid != 0 &&
         api_.ActivityGetNextRecord.pointer(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
    const auto& kernel = *reinterpret_cast<const CUpti_ActivityKernel10*>(record);
    ++kernels_;
    // Both are 0 if CUPTI could not collect them.
    if (kernel.end == 0 || kernel.end < kernel.start) {
      ++without_time_;
    } else {
      ns_ += kernel.end - kernel.start;
    }
  }
}

TakeKernelTime StartKernelTimes() {
  auto clock = LoadCupti().and_then([](const CuptiApi* api) { return ActivityClock::Start(*api); });
  if (!clock) return [why = clock.error()]() -> Result<double> { return Fail(why); };
  return [kept = std::shared_ptr<ActivityClock>(*std::move(clock))] { return kept->Take(); };
}

}  // namespace warpcheck::gpu
