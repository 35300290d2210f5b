// The results file: written by a checks program, read by the front end.
#pragma once

#include <filesystem>
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

// Reads what was written, also by a program that died in the middle of a line.
Result<ChecksReport> ReadResults(const std::filesystem::path& path);

}  // namespace warpcheck
