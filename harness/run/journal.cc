#include "run/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/files.h"
#include "base/json_fields.h"
#include "device/record_json.h"

namespace warpcheck::run {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxBytes = std::uint64_t{32} << 20;  // before a journal is made compact
constexpr std::size_t kMaxWritten = 64;                       // launches remembered

std::string LineOf(const json& entry) {
  return entry.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

// After a fork the child starts anew: what the parent did is in the parent's file.
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

// Whole, or not at all: what comes after half a line could not be read.
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
  const std::string line = LineOf(entry);
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
  Write({{"begin",
          {{"kernel", launch.kernel},
           {"grid", ToJson(launch.grid)},
           {"block", ToJson(launch.block)}}}},
        false);
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

// Replaces the file by one with sums in place of launches.
void Journal::Compact() {
  json groups = json::array();
  for (const LaunchGroup& group : fold_.groups()) {
    groups.push_back({{"launches", group.launches}, {"sum", ToJson(group.sum)}});
  }
  const std::string line = LineOf({{"so_far", std::move(groups)}});
  if (!WriteFile(path_, line + kept_)) return;  // the long one stays
  ::close(std::exchange(file_, -1));
  written_.clear();
  bytes_ = 0;
}

}  // namespace warpcheck::run
