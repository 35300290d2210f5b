// What happened in a program that runs under `warpcheck run`, told by the runtime inside it to the
// command outside: a file of one JSON object a line, written as things happen, so that nothing is
// lost however the program ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/finding.h"
#include "device/launch_record.h"
#include "run/access_sample.h"
#include "run/finding_stop.h"
#include "run/launch_sums.h"

namespace warpcheck::run {

// The writing side, of one process. What cannot be written is told once on stderr, and dropped.
class Journal {
 public:
  // The file appears in `folder` with the first entry, under the process's number: a process that
  // makes no use of the runtime has none, and a forked one has its own.
  explicit Journal(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void Begin(const LaunchRecord& launch);  // kernel, grid and block of a launch that starts
  void Add(const LaunchRecord& launch);
  void Add(const Finding& finding);  // outside launches
  void Add(const AccessSample& sample);
  void Add(const FindingStop& stop);
  // Bytes that kernels printed and that were never shown.
  void NotShown(std::uint64_t bytes);

 private:
  bool Append(const std::string& line);
  // `keep`: also when the launches before it are written as sums. False where it is lost.
  bool Write(const nlohmann::json& entry, bool keep);
  bool Open();
  void Compact();

  std::filesystem::path folder_;
  std::filesystem::path path_;
  int file_ = -1;
  int process_ = 0;  // whose file it is
  bool complained_ = false;
  std::uint64_t bytes_ = 0;            // written since the last Compact
  std::string kept_;                   // lines
  std::vector<LaunchRecord> written_;  // which later launches may equal, by their number
  LaunchSums fold_;                    // of all launches
};

// A launch that had begun and not ended.
struct UnfinishedLaunch {
  std::string kernel;
  Dim3 grid;
  Dim3 block;
};

WARPCHECK_FIELDS(UnfinishedLaunch, kernel, grid, block);

// All that one process did.
struct ProcessResult {
  int process = 0;
  std::vector<LaunchGroup> launches;
  std::vector<Finding> findings;  // outside launches
  std::optional<UnfinishedLaunch> unfinished;
  std::vector<AccessSample> samples;  // one for each instruction that was traced
  std::optional<FindingStop> stop;
  std::uint64_t not_shown = 0;
};

// Of every process that left a journal in `folder`, by process number. A last line that was cut
// short by the end of the process is ignored.
Result<std::vector<ProcessResult>> ReadJournals(const std::filesystem::path& folder);

}  // namespace warpcheck::run
