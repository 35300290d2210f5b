// Shows how far a batch is: as a line of a terminal, and as two files of the batch's folder.
//
// progress.html is a page that reloads itself, since a page that is opened from the disk may read
// no other file; progress.json is for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "batch/work/estimate.h"
#include "batch/work/progress.h"

namespace warpcheck::batch {

// Returns "[######..............] 100 of 300 graded, 3 without a final score, 2 running, 65 a
// minute, about 3 min left".
std::string ProgressText(const Progress& progress, const Estimate& estimate);

inline constexpr char kProgressPage[] = "progress.html";
inline constexpr char kProgressJson[] = "progress.json";

// The contents of the two files. At the end neither says how long anything took, so that a batch
// that was interrupted leaves the same files as one that was not.
struct ProgressReport {
  enum class State { kRunning, kDone, kStopped };
  State state = State::kRunning;
  std::string title;  // of the assignment
  Progress progress;
  std::optional<double> per_minute;     // while it runs, as soon as it can be estimated
  std::optional<Estimate::Range> left;  // likewise
  std::int64_t updated = 0;             // seconds since 1970, UTC; while it runs
};

std::string HtmlProgress(const ProgressReport& report);

// Returns one object with "state" ("running", "done" or "stopped"), "title", "total", "graded",
// "not_final" and "held_up". While the batch runs it also has "known", "running", "to_grade" and
// "updated", and as soon as they can be estimated "per_minute", "least_seconds_left" and
// "most_seconds_left".
std::string JsonProgress(const ProgressReport& report);

}  // namespace warpcheck::batch
