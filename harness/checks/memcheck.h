// GPU processes under compute-sanitizer's memcheck, which sees every access out of bounds.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "checks/device_source.h"
#include "checks/trial.h"
#include "remote/device_client.h"

namespace warpcheck {

// What a process that holds a GPU may take to be ready.
inline constexpr std::chrono::seconds kGpuStartLimit{60};

class Memcheck {
 public:
  struct Settings {
    std::filesystem::path compute_sanitizer;
    std::filesystem::path gpu_host;
    // Whose lines findings are attributed to, where one of the inlined calls is theirs.
    std::function<bool(std::string_view path)> is_student_file;
  };
  explicit Memcheck(Settings settings);  // starts a process, and does not wait for it
  ~Memcheck();
  Memcheck(const Memcheck&) = delete;
  Memcheck& operator=(const Memcheck&) = delete;

  // A device whose launches are logged with what memcheck reports of them. A process stays for the
  // next trial. Fails where none works, from then on: each new one has to report an error that is
  // known.
  Result<DeviceSource::Device> Lease(DeviceLog& log, std::chrono::milliseconds launch_limit);

 private:
  class Process;
  Result<std::shared_ptr<Process>> Started();

  Settings settings_;
  std::optional<Result<std::shared_ptr<Process>>> ahead_;  // the first: ready when it is asked for
  std::shared_ptr<Process> idle_;
  std::optional<Error> failure_;
};

// What compute-sanitizer's memcheck writes, as findings.

struct SanitizerReport {
  // One for each kind and place, in the order of their first occurrence, with the threads counted.
  // Lanes are those of one-dimensional blocks' first warp: set them once the block is known.
  std::vector<Finding> findings;
  // Lines in which the tool says that it does not work itself.
  std::vector<std::string> troubles;
};

// `text`: whole lines of its log file, also where it begins or ends within a report. An access in
// code that was inlined is attributed to the innermost call in a student's file; an empty function
// makes every file one.
SanitizerReport ParseSanitizerReport(
    std::string_view text, const std::function<bool(std::string_view path)>& is_student_file);

// Puts what memcheck saw, when calls were made again under it, to what the calls did.

// Adds the findings of `checked`'s launches to those of `trial`; a finding that has no place, but
// is one that memcheck places, gives way or gets its place. Returns why accesses may have gone
// unseen, if so.
std::optional<Error> AddMemcheck(Trial& trial, const Trial& checked);

}  // namespace warpcheck
