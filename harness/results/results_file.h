// The results file: written by a checks program, read by the front end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/lines.h"
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
  explicit ResultsReader(std::filesystem::path path) : path_(std::move(path)) {}

  // What was written since the last call; a file that is not there yet has nothing.
  void Read(const CaseProgress& progress = {});
  // Of all that was read, once. Fails where the file was never there, or is malformed.
  Result<ChecksReport> Take();

 private:
  // These throw std::exception on what does not fit.
  void TakeLine(std::string_view line, const CaseProgress& progress);
  void Begin(const nlohmann::json& value);
  void Counted(std::uint64_t launch, LaunchRecord record);
  void BeginCase(std::string name);
  void EndCase(CaseResult result);

  std::filesystem::path path_;
  std::ifstream in_;
  int not_open_ = 0;  // errno: why it is not
  std::size_t bytes_ = 0;
  int number_ = 0;  // of lines
  Lines lines_;
  ChecksReport report_;
  std::size_t first_launch_ = 0;  // of the latest writer
  bool begun_ = false;
  std::optional<Error> failure_;
};

// Of a file that nobody writes to any more.
Result<ChecksReport> ReadResults(const std::filesystem::path& path);

}  // namespace warpcheck
