// A Device that runs kernels on an NVIDIA GPU, through the driver API. One process holds one: after
// a fault the GPU's context is lost, and CUPTI measures the lines of one launch a process
// (docs/design.md), so that gpu_host, not the judge, uses this.
//
// How it works. The driver and CUPTI are loaded at run time, as tables of functions that tests
// replace (driver_api.h, cupti_api.h). GpuDevice (gpu_device.h) keeps memory with red zones around
// it (gpu_memory.h) and modules (gpu_module.h), which the driver compiles from the
// same PTX that the emulator runs. A launch (launcher.h) is checked by the rules of every device,
// timed where asked (launch_timer.h), counted (launch_counter.h: totals of every launch by Range
// Profiler, or lines of one launch by SASS metrics), run, and what the driver says of its end is
// made a finding. Lines come from the machine code's own line table (cupti_api.h).
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
  kTotals,  // every launch, without ideals and lines: CUPTI's Range Profiler
  kLines,   // one launch, every counter by source line: CUPTI's SASS metrics
};

struct Options {
  int ordinal = 0;  // of the CUDA device
  Counting counting = Counting::kNone;
  std::uint32_t counted_launch = 0;  // of this device, from 0: for kLines
  // Times the first launch of each kernel and shape, at most kMostTimed: it runs several times, and
  // memory is restored after each run. Kernels that allocate memory themselves are not timed: what
  // they take of the heap is not restored.
  bool timed = false;
  static constexpr std::size_t kMostTimed = 8;
  // Bytes around every allocation that no kernel may write; 0 where another tool watches.
  std::uint32_t red_zone_bytes = 4096;
};

// `log` outlives the device. Fails where there is no driver, no such device, or it is older than
// compute capability 7.5, the oldest that CUDA 13 compiles for; what CUPTI cannot do is no failure:
// launches then say why they were not measured.
Result<std::unique_ptr<Device>> MakeGpu(DeviceLog& log, const Options& options);

// What of a GPU this machine offers.
struct Survey {
  std::string name;    // "NVIDIA H200"
  std::string driver;  // "CUDA 13.0"
  int compute_major = 0;
  int compute_minor = 0;
  std::optional<Error> no_gpu;       // why none can be used
  std::optional<Error> no_counters;  // why counters cannot be read, and how to allow them
};

WARPCHECK_FIELDS(Survey, name, driver, compute_major, compute_minor, no_gpu, no_counters);

// With `tries` it creates a context and measures a launch of its own, which takes about half a
// second; without, a GPU that is there is taken to work.
Survey SurveyGpu(int ordinal = 0, bool tries = true);

// A survey as JSON: printed by a process that looked at the GPU, read by one that must not.

std::string SurveyText(const Survey& survey);

// Fails on anything that SurveyText does not write.
Result<Survey> ParseSurvey(std::string_view text);

}  // namespace warpcheck::gpu
