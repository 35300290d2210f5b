// Writes and reads the results file, which passes results from a checks program to the front end.
// The file has one JSON value a line. Each is written when it happens, so that a crash loses
// nothing that was written before.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/text/line_log.h"
#include "results/results.h"

namespace warpcheck {

// By default a writer writes nothing.
class ResultsWriter {
 public:
  // Creates `path` or appends to it. Each line is flushed before the call returns.
  static Result<std::unique_ptr<ResultsWriter>> Open(const std::filesystem::path& path);
  virtual ~ResultsWriter() = default;

  virtual void Begin(std::string_view /*device*/, std::string_view /*device_name*/,
                     std::uint64_t /*seed*/) {}
  virtual void BeginCase(std::string_view /*name*/) {}
  virtual void EndCase(const CaseResult& /*result*/) {}
  virtual void Launch(const CaseLaunch& /*launch*/) {}
  // Rewrites the launch that this writer wrote as number `launch`, counted from 0, with counters.
  virtual void Counted(std::size_t /*launch*/, const LaunchRecord& /*record*/) {}
  virtual void Finding(const CaseFinding& /*finding*/) {}
  virtual void Approximation(const CaseApproximation& /*approximation*/) {}
  virtual void Timeline(const CaseTimeline& /*timeline*/) {}
  virtual void Promise(const PromiseResult& /*promise*/) {}
  virtual void Experimented(const Experiments& /*experiments*/) {}
  virtual void Reasoned(const CaseReason& /*reason*/) {}
  virtual void DeviceOutput(std::string_view /*text*/) {}
  virtual void HostOutput(std::string_view /*text*/) {}
};

// The type of a function that is called when a case begins and when it ends.
using CaseProgress = std::function<void(std::string_view case_name, bool ended)>;

// Reads a results file while another program writes it, even if that program dies in the middle of
// a line.
class ResultsReader {
 public:
  explicit ResultsReader(std::filesystem::path path);

  // Reads what was written since the last call. Reads nothing if the file does not exist yet.
  void Read(const CaseProgress& progress = {});
  // Returns the report of everything that was read; call it once. Fails if the file never existed
  // or is malformed.
  Result<ChecksReport> Take();

 private:
  // These throw std::exception if the line does not fit.
  void TakeLine(std::string_view line, const CaseProgress& progress);
  void Begin(const nlohmann::json& value);
  void Counted(std::uint64_t launch, LaunchRecord record);
  void BeginCase(std::string name);
  void EndCase(CaseResult result);

  std::filesystem::path path_;
  LineLogReader log_;
  Result<> read_;   // whether the last Read could read the file
  int number_ = 0;  // the number of the last line
  ChecksReport report_;
  std::size_t first_launch_ = 0;  // the first launch of the latest writer
  bool begun_ = false;
  std::optional<Error> failure_;
};

// Reads a finished file.
Result<ChecksReport> ReadResults(const std::filesystem::path& path);

}  // namespace warpcheck
