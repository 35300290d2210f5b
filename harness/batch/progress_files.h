// How far a batch is, as files of its folder: progress.html, a page that reads itself again, since
// one that is opened from the disk may read no other file; and progress.json, for programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "batch/batch.h"

namespace warpcheck::batch {

// How long a batch still takes, from what was measured so far: a range, and none before there is
// enough to tell from.
class Estimate {
 public:
  // One more was graded, so many seconds after the one before, or after the begin.
  void Add(double seconds);

  struct Range {
    double least = 0;  // seconds
    double most = 0;
  };
  // For so many more, as in nine of ten cases if these are like those before; nothing before five.
  std::optional<Range> Left(std::size_t submissions) const;

  // How many were graded in a minute, on average; nothing before five.
  std::optional<double> PerMinute() const;

 private:
  std::size_t count_ = 0;
  double mean_ = 0;     // seconds between two
  double squares_ = 0;  // sum of squared distances from the mean
};

// "65 a minute", "2.4 a minute".
std::string RateText(double per_minute);

// "40 s to 2 min", "about 3 min".
std::string RangeText(const Estimate::Range& range);

// "[######..............] 100 of 300 graded, 3 without a final score, 2 running, 65 a minute, about
// 3 min left"
std::string ProgressText(const Progress& progress, const Estimate& estimate);

inline constexpr char kProgressPage[] = "progress.html";
inline constexpr char kProgressJson[] = "progress.json";

// At the end neither says how long anything took: a batch that was interrupted and one that was not
// leave the same files.
struct ProgressReport {
  enum class State { kRunning, kDone, kStopped };
  State state = State::kRunning;
  std::string title;  // of the assignment
  Progress progress;
  std::optional<double> per_minute;     // while it runs, once there is enough to tell from
  std::optional<Estimate::Range> left;  // the same
  std::int64_t updated = 0;             // seconds since 1970, UTC; while it runs
};

std::string HtmlProgress(const ProgressReport& report);

// One object: "state" ("running", "done", "stopped"), "title", "total", "graded", "not_final",
// "held_up"; while it runs also "known", "running", "to_grade", "updated", and once known
// "per_minute", "least_seconds_left", "most_seconds_left".
std::string JsonProgress(const ProgressReport& report);

}  // namespace warpcheck::batch
