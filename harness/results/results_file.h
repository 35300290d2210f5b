// The results file: written by a checks program, read by the front end.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "results/results.h"

namespace warpcheck {

class ResultsWriter {
 public:
  // Creates or appends to `path`; each line is flushed before the call returns.
  static Result<std::unique_ptr<ResultsWriter>> Open(const std::filesystem::path& path);
  virtual ~ResultsWriter() = default;

  virtual void Begin(std::string_view device, std::string_view device_name, std::uint64_t seed) = 0;
  virtual void BeginCase(std::string_view name) = 0;
  virtual void EndCase(const CaseResult& result) = 0;
  virtual void Launch(const CaseLaunch& launch) = 0;
  // The `launch`-th launch that this writer has written, from 0, now with counters.
  virtual void Counted(std::size_t launch, const LaunchRecord& record) = 0;
  virtual void Finding(const CaseFinding& finding) = 0;
  virtual void DeviceOutput(std::string_view text) = 0;
  virtual void HostOutput(std::string_view text) = 0;
};

// Called when a case begins, and when it ends.
using CaseProgress = std::function<void(std::string_view case_name, bool ended)>;

// Reads a results file while it is written, also by a program that dies in the middle of a line.
class ResultsReader {
 public:
  static std::unique_ptr<ResultsReader> Of(const std::filesystem::path& path);
  virtual ~ResultsReader() = default;

  // What was written since the last call; a file that is not there yet has nothing.
  virtual void Read(const CaseProgress& progress = {}) = 0;
  // Of all that was read, once. Fails where the file was never there, or is malformed.
  virtual Result<ChecksReport> Take() = 0;
};

// Of a file that nobody writes to any more.
Result<ChecksReport> ReadResults(const std::filesystem::path& path);

}  // namespace warpcheck
