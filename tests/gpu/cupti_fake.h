// CuptiFake is a CUPTI for machines without a GPU. It answers as CUPTI 13.0 does on an H200, checks
// the order of calls that CUPTI demands, and fails if a test wants it to.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cupti/cupti_api.h"

namespace warpcheck::gpu {

class CuptiFake {
 public:
  // Only one object may exist at a time, because the table's functions have no place for state.
  CuptiFake();
  ~CuptiFake();
  CuptiFake(const CuptiFake&) = delete;
  CuptiFake& operator=(const CuptiFake&) = delete;

  CuptiApi api;

  // The results that calls return instead of doing anything, by the function's name.
  std::map<std::string, CUptiResult> failures;
  std::vector<std::string> calls;

  std::string chip = "GH100";
  std::set<std::string> unknown_metrics;

  // The Range Profiler's results for the next launch. A metric that is not here is 0.
  std::map<std::string, double> counters;
  std::size_t ranges = 1;
  std::size_t dropped_ranges = 0;
  int busy_starts = 0;   // the number of tries at which another program uses the counters
  bool enabled = false;  // true while the counters are reserved
  bool started = false;
  bool poisoned = false;  // true after an unknown metric was added to the configuration

  // The SASS records of the first launch: one for each instruction and metric.
  struct Record {
    std::string function;
    std::uint32_t offset = 0;
    std::string metric;
    std::uint64_t value = 0;
  };
  std::vector<Record> records;
  std::size_t dropped_records = 0;
  bool set_once = false;  // true after the process's only configuration was used
  bool configured = false;
  bool recording = false;

  // Maps (function, offset) to folder, file and line.
  struct Place {
    std::string folder;
    std::string file;
    std::uint32_t line = 0;
  };
  std::map<std::pair<std::string, std::uint32_t>, Place> places;

  // The starts and ends, in ns, of the kernels that the next flush of activity records returns.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> kernel_times;
  CUpti_BuffersCallbackRequestFunc request_buffer = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete_buffer = nullptr;
  bool records_kernels = false;

  // Tells the subscriber that a module was loaded.
  void LoadModule(std::string cubin);
  CUpti_CallbackFunc callback = nullptr;
  void* callback_data = nullptr;
  bool callback_enabled = false;

  // These return CUPTI's number of a metric, and the metric of a number.
  std::uint64_t Number(const std::string& metric);
  std::vector<std::string> numbered;
};

}  // namespace warpcheck::gpu
