#include "run/journal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <utility>

#include "base/files.h"
#include "base/json/record.h"
#include "device/finding.h"
#include "device/record_json.h"

namespace warpcheck::run {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxBytes = std::uint64_t{32}
                                    << 20;  // the size at which a journal is made compact
constexpr std::size_t kMaxWritten = 64;     // the number of launches that are remembered

class Reader {
 public:
  void Read(const json& entry) {
    if (const auto at = entry.find("begin"); at != entry.end()) {
      result_.unfinished = FromJson<UnfinishedLaunch>(*at);
    } else if (const auto stopped = entry.find("stopped"); stopped != entry.end()) {
      Launched(FromJson<LaunchRecord>(*stopped));
      result_.unfinished = FromJson<UnfinishedLaunch>(entry.at("at"));
    } else if (const auto refused = entry.find("refused"); refused != entry.end()) {
      result_.refused.push_back(FromJson<RefusedCall>(*refused));
    } else if (const auto copy = entry.find("copied_back"); copy != entry.end()) {
      result_.copied_back.push_back(FromJson<CopiedBack>(*copy));
    } else if (const auto part = entry.find("unoffered"); part != entry.end()) {
      result_.unoffered.push_back(FromJson<Unoffered>(*part));
    } else if (entry.contains("called")) {
      result_.called = true;
    } else if (const auto launch = entry.find("launch"); launch != entry.end()) {
      written_.push_back(FromJson<LaunchRecord>(*launch));
      Launched(written_.back());
    } else if (entry.contains("again")) {
      Launched(written_.at(UnsignedField(entry, "again")));
    } else if (const auto groups = entry.find("so_far"); groups != entry.end()) {
      StartAnew(*groups);
    } else if (const auto finding = entry.find("finding"); finding != entry.end()) {
      AddFinding(result_.findings, FromJson<Finding>(*finding));
    } else if (const auto sample = entry.find("sample"); sample != entry.end()) {
      Sampled(FromJson<AccessSample>(*sample));
    } else if (const auto stop = entry.find("stop"); stop != entry.end()) {
      result_.stop = FromJson<FindingStop>(*stop);
    } else if (const auto timeline = entry.find("timeline"); timeline != entry.end()) {
      result_.timeline = FromJson<order::Timeline>(*timeline);
    } else if (const auto calls = entry.find("calls"); calls != entry.end()) {
      result_.calls = FromJson<HostCalls>(*calls);
      if (!result_.calls->IsSound()) throw std::runtime_error("the calls are not sound");
    } else if (const auto inexact = entry.find("approximation"); inexact != entry.end()) {
      result_.approximations.push_back(FromJson<emulator::Approximation>(*inexact));
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
    for (const json& group : groups) fold_.Add(FromJson<LaunchGroup>(group));
  }

  // Adds a sample. It replaces the earlier samples of its instruction.
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
  LaunchSums fold_;
  std::vector<LaunchRecord> written_;
};

Result<ProcessResult> ReadJournal(const std::filesystem::path& path, int process) {
  Reader reader;
  int number = 0;
  WARPCHECK_TRY(LineLogReader(path).Read([&](std::string_view line) -> Result<> {
    ++number;
    try {
      reader.Read(ParseJson(line));
    } catch (const std::exception& exception) {
      return Fail(exception.what(), {.file = path.string(), .line = number});
    }
    return {};
  }));
  ProcessResult result = reader.Take();
  result.process = process;
  return result;
}

}  // namespace

// A forked child begins a new journal, since the parent's events are in the parent's file.
Result<> Journal::Append(const std::string& line) {
  const int process = ::getpid();
  if (process != process_) {
    log_.reset();
    written_.clear();
    kept_.clear();
    fold_ = {};
    bytes_ = 0;
  }
  process_ = process;
  path_ = folder_ / fmt::format("{}.jsonl", process);
  if (!log_) log_ = WARPCHECK_TRY(LineLogWriter::Open(path_, 0600));
  return log_->Append(line);
}

bool Journal::Write(const json& entry, bool keep) {
  if (folder_.empty()) return false;
  const std::string line = JsonText(entry);
  const Result<> appended = Append(line);
  if (appended) {
    bytes_ += line.size() + 1;
    if (keep) kept_ += line + "\n";
    return true;
  }
  if (complained_) return false;
  complained_ = true;
  std::fprintf(stderr, "warpcheck: %s; the report will not be complete\n",
               appended.error().message.c_str());
  return false;
}

void Journal::Begin(const LaunchRecord& launch) {
  const UnfinishedLaunch begun{.kernel = launch.kernel, .grid = launch.grid, .block = launch.block};
  Write({{"begin", ToJson(begun)}}, false);
}

void Journal::Add(const LaunchRecord& launch) {
  const auto same = std::ranges::find(written_, launch);
  if (same != written_.end()) {
    Write({{"again", same - written_.begin()}}, false);
  } else {
    const bool written = Write({{"launch", ToJson(launch)}}, false);
    if (written && written_.size() < kMaxWritten) written_.push_back(launch);
  }
  fold_.Add(launch);
  if (bytes_ > kMaxBytes) Compact();
}

void Journal::AddStopped(const LaunchRecord& launch, const UnfinishedLaunch& unfinished) {
  Write({{"stopped", ToJson(launch)}, {"at", ToJson(unfinished)}}, true);
}

void Journal::Add(const RefusedCall& call) { Write({{"refused", ToJson(call)}}, true); }
void Journal::Add(const CopiedBack& copy) { Write({{"copied_back", ToJson(copy)}}, true); }
void Journal::Add(const Unoffered& part) { Write({{"unoffered", ToJson(part)}}, true); }
void Journal::NoteCall() { Write({{"called", true}}, true); }
void Journal::Add(const Finding& finding) { Write({{"finding", ToJson(finding)}}, true); }
void Journal::Add(const AccessSample& sample) { Write({{"sample", ToJson(sample)}}, true); }
void Journal::Add(const FindingStop& stop) { Write({{"stop", ToJson(stop)}}, true); }
void Journal::Add(const order::Timeline& timeline) {
  Write({{"timeline", ToJson(timeline)}}, true);
}
void Journal::Add(const HostCalls& calls) { Write({{"calls", ToJson(calls)}}, true); }
void Journal::Add(const emulator::Approximation& approximation) {
  Write({{"approximation", ToJson(approximation)}}, true);
}
void Journal::NotShown(std::uint64_t bytes) { Write({{"not_shown", bytes}}, true); }

// Replaces the file by one with sums instead of launches.
void Journal::Compact() {
  const std::string line = JsonText(json{{"so_far", ValueToJson(fold_.groups())}}) + "\n";
  if (!WriteFile(path_, line + kept_)) return;  // keeps the long file
  log_.reset();
  written_.clear();
  bytes_ = 0;
}

Result<std::vector<ProcessResult>> ReadJournals(const std::filesystem::path& folder) {
  std::vector<ProcessResult> results;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".jsonl") continue;
    const std::string name = entry.path().stem().string();
    int process = 0;
    std::from_chars(name.data(), name.data() + name.size(), process);
    results.push_back(WARPCHECK_TRY(ReadJournal(entry.path(), process)));
  }
  if (error) return Fail(fmt::format("cannot list {}: {}", folder.string(), error.message()));
  std::ranges::sort(results, {}, &ProcessResult::process);
  return results;
}

}  // namespace warpcheck::run
