// This Device runs kernels on an NVIDIA GPU, through the driver API. A process has only one,
// because after a fault the GPU's context is lost, and because CUPTI measures the lines of only one
// launch for each process (docs/design.md). Therefore gpu_host, not the judge, uses this.
//
// It works as follows. The driver and CUPTI are loaded at run time, as tables of functions that
// tests replace (driver_api.h, cupti/cupti_api.h). GpuDevice (gpu_device.h) keeps memory with red
// zones around it (gpu_memory.h), and modules (gpu_module.h). The driver compiles modules from the
// same PTX that the emulator runs. A launch (launcher.h) is checked by the rules of all devices,
// timed if asked (launch_timer.h), counted (cupti/launch_counter.h), and run. Counters are totals
// of every launch by Range Profiler, or lines of one launch by SASS metrics. If the driver reports
// an error at the end of a launch, it becomes a finding. Lines come from the line table of the
// machine code (cupti/cubin.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/record.h"
#include "base/result.h"
#include "device/device.h"

namespace warpcheck::gpu {

enum class Counting : std::uint8_t {
  kNone,
  kTotals,  // all launches, without ideals and lines, by CUPTI's Range Profiler
  kLines,   // one launch, with all counters by line, by CUPTI's SASS metrics
};

struct Options {
  int ordinal = 0;  // the number of the CUDA device
  Counting counting = Counting::kNone;
  std::uint32_t counted_launch = 0;  // the number of the launch that kLines counts, starting with 0
  // Times the first launch of each kernel and shape, at most kMostTimed. The launch runs several
  // times, and memory is restored after each run. Kernels that allocate memory are not timed,
  // because the heap is not restored.
  bool timed = false;
  static constexpr std::size_t kMostTimed = 8;
  // Also measures how busy the GPU is during each launch that is timed, in runs of its own.
  bool measures_use = false;
  // Times the first launch after each Reset() instead, whatever has been timed before. For kernels
  // that are trusted: the time for it has no bound.
  bool times_first = false;
  // Runs each launch once and times it by CUPTI's activity records. The first launch after Reset()
  // finds a cold L2 cache. Counting must be kNone.
  bool times_once = false;
  // The size of the red zones around every allocation, which no kernel may write; 0 if another tool
  // watches memory.
  std::uint32_t red_zone_bytes = 4096;
};

// Makes the device; `log` must outlive it. Fails if there is no driver or no such device, or if the
// device is older than compute capability 7.5, the oldest that CUDA 13 compiles for. Does not fail
// if CUPTI cannot measure: launches then say why they were not measured.
Result<std::unique_ptr<Device>> MakeGpu(DeviceLog& log, const Options& options);

// A Survey is a summary of what this machine's GPU offers.
struct Survey {
  std::string name;    // such as "NVIDIA H200"
  std::string driver;  // such as "CUDA 13.0"
  int compute_major = 0;
  int compute_minor = 0;
  std::optional<Error> no_gpu;       // why the GPU cannot be used
  std::optional<Error> no_counters;  // why counters cannot be read, with advice
};

WARPCHECK_FIELDS(Survey, name, driver, compute_major, compute_minor, no_gpu, no_counters);

// Examines the GPU. If `tries` is set, creates a context and measures a launch of its own, which
// takes about half a second. Otherwise assumes that the GPU works.
Survey SurveyGpu(int ordinal = 0, bool tries = true);

// Writes a survey as JSON: one process examines the GPU, and another process, which must not touch
// the GPU, reads the text.

std::string SurveyText(const Survey& survey);

// Fails for any text that SurveyText() does not write.
Result<Survey> ParseSurvey(std::string_view text);

}  // namespace warpcheck::gpu
