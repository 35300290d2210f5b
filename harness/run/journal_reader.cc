#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <sstream>

#include "base/files.h"
#include "base/json_fields.h"
#include "device/finding_merge.h"
#include "device/record_json.h"
#include "run/journal.h"

namespace warpcheck::run {
namespace {

using nlohmann::json;

class Reader {
 public:
  void Read(const json& entry) {
    if (const auto at = entry.find("begin"); at != entry.end()) {
      result_.unfinished = UnfinishedLaunch{.kernel = StringField(*at, "kernel"),
                                            .grid = DimFrom(Field(*at, "grid")),
                                            .block = DimFrom(Field(*at, "block"))};
    } else if (const auto launch = entry.find("launch"); launch != entry.end()) {
      written_.push_back(RecordFrom(*launch));
      Launched(written_.back());
    } else if (entry.contains("again")) {
      Launched(written_.at(UnsignedField(entry, "again")));
    } else if (const auto groups = entry.find("so_far"); groups != entry.end()) {
      StartAnew(*groups);
    } else if (const auto finding = entry.find("finding"); finding != entry.end()) {
      AddFinding(result_.findings, FindingFrom(*finding));
    } else if (const auto sample = entry.find("sample"); sample != entry.end()) {
      Sampled(AccessSampleFrom(*sample));
    } else if (const auto stop = entry.find("stop"); stop != entry.end()) {
      result_.stop = FindingStopFrom(*stop);
    } else {
      result_.not_shown += UnsignedField(entry, "not_shown");
    }
  }

  ProcessResult Take() {
    result_.launches = fold_.groups();
    return std::move(result_);
  }

 private:
  void Launched(const LaunchRecord& record) {
    fold_.Add(record);
    result_.unfinished.reset();
  }

  void StartAnew(const json& groups) {
    written_.clear();
    fold_ = {};
    for (const json& group : groups) {
      fold_.Add(
          {.launches = UnsignedField(group, "launches"), .sum = RecordFrom(Field(group, "sum"))});
    }
  }

  // A later sample of an instruction stands for the earlier ones too.
  void Sampled(AccessSample sample) {
    const auto same = std::ranges::find_if(result_.samples, [&](const AccessSample& other) {
      return other.kernel == sample.kernel && other.index == sample.index &&
             other.where == sample.where && other.memory == sample.memory;
    });
    if (same == result_.samples.end()) {
      result_.samples.push_back(std::move(sample));
    } else {
      *same = std::move(sample);
    }
  }

  ProcessResult result_;
  LaunchFold fold_;
  std::vector<LaunchRecord> written_;
};

Result<ProcessResult> ReadJournal(const std::filesystem::path& path, int process) {
  const auto text = ReadFile(path, std::size_t{1} << 32);
  if (!text) return Fail(text.error());
  Reader reader;
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (lines.eof() && !text->ends_with('\n')) break;  // the process ended while it wrote
    try {
      reader.Read(json::parse(line));
    } catch (const std::exception& exception) {
      return Fail(exception.what(), {.file = path.string(), .line = number});
    }
  }
  ProcessResult result = reader.Take();
  result.process = process;
  return result;
}

}  // namespace

Result<std::vector<ProcessResult>> ReadJournals(const std::filesystem::path& folder) {
  std::vector<ProcessResult> results;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".jsonl") continue;
    const std::string name = entry.path().stem().string();
    int process = 0;
    std::from_chars(name.data(), name.data() + name.size(), process);
    auto result = ReadJournal(entry.path(), process);
    if (!result) return Fail(result.error());
    results.push_back(std::move(*result));
  }
  if (error) return Fail(fmt::format("cannot list {}: {}", folder.string(), error.message()));
  std::ranges::sort(results, {}, &ProcessResult::process);
  return results;
}

}  // namespace warpcheck::run
