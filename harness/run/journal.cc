#include "run/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <utility>

#include "base/files.h"
#include "base/json_record.h"
#include "base/text/lines.h"
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

  // Adds a sample; it stands for the earlier ones of its instruction too.
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
  const auto text = WARPCHECK_TRY(ReadFile(path, std::size_t{1} << 32));
  Reader reader;
  Lines lines;  // a line without an end was being written when the process ended
  int number = 0;
  try {
    lines.Add(text, [&](std::string_view line) {
      ++number;
      reader.Read(json::parse(line));
    });
  } catch (const std::exception& exception) {
    return Fail(exception.what(), {.file = path.string(), .line = number});
  }
  ProcessResult result = reader.Take();
  result.process = process;
  return result;
}

}  // namespace

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

// A forked child begins a new journal, since the parent's events are in the parent's file.
bool Journal::Open() {
  const int process = ::getpid();
  if (file_ >= 0 && process == process_) return true;
  if (process != process_ && process_ != 0) {
    if (file_ >= 0) ::close(std::exchange(file_, -1));
    written_.clear();
    kept_.clear();
    fold_ = {};
    bytes_ = 0;
  }
  process_ = process;
  path_ = folder_ / fmt::format("{}.jsonl", process);
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  return file_ >= 0;
}

// Writes the whole line or nothing: what follows half a line could not be read.
bool Journal::Append(const std::string& line) {
  if (!Open()) return false;
  const off_t begin = ::lseek(file_, 0, SEEK_END);
  ssize_t written;
  while ((written = ::write(file_, line.data(), line.size())) < 0 && errno == EINTR) {
  }
  if (written == static_cast<ssize_t>(line.size())) return true;
  const int error = written < 0 ? errno : ENOSPC;
  if (written > 0 && ::ftruncate(file_, begin) != 0) ::close(std::exchange(file_, -1));
  errno = error;
  return false;
}

bool Journal::Write(const json& entry, bool keep) {
  if (folder_.empty()) return false;
  const std::string line = JsonText(entry) + "\n";
  if (Append(line)) {
    bytes_ += line.size();
    if (keep) kept_ += line;
    return true;
  }
  if (complained_) return false;
  complained_ = true;
  std::fprintf(stderr, "warpcheck: cannot write to %s: %s; the report will not be complete\n",
               folder_.c_str(), std::strerror(errno));
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

void Journal::Add(const Finding& finding) { Write({{"finding", ToJson(finding)}}, true); }
void Journal::Add(const AccessSample& sample) { Write({{"sample", ToJson(sample)}}, true); }
void Journal::Add(const FindingStop& stop) { Write({{"stop", ToJson(stop)}}, true); }
void Journal::NotShown(std::uint64_t bytes) { Write({{"not_shown", bytes}}, true); }

// Replaces the file by one with sums instead of launches.
void Journal::Compact() {
  const std::string line = JsonText(json{{"so_far", ValueToJson(fold_.groups())}}) + "\n";
  if (!WriteFile(path_, line + kept_)) return;  // keeps the long file
  ::close(std::exchange(file_, -1));
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
