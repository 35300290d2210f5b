// Shows the progress of a batch as a line of a terminal, and as two files of the batch's folder.
//
// progress.html is a page that reloads itself, because a page that is opened from the disk may not
// read other files; progress.json is for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "batch/work/estimate.h"
#include "batch/work/progress.h"

namespace warpcheck::batch {

// Returns a text like "[######..............] 100 of 300 graded, 3 without a final score, 2
// running, 65 a minute, about 3 min left".
std::string ProgressText(const Progress& progress, const Estimate& estimate);

inline constexpr char kProgressPage[] = "progress.html";
inline constexpr char kProgressJson[] = "progress.json";

// The contents of the two files. At the end, neither file says how long anything took, so that an
// interrupted batch leaves the same files as any other.
struct ProgressReport {
  enum class State { kRunning, kDone, kStopped };
  State state = State::kRunning;
  std::string title;  // the title of the assignment
  Progress progress;
  std::optional<double> per_minute;     // set while the batch runs, once it can be estimated
  std::optional<Estimate::Range> left;  // set while the batch runs, once it can be estimated
  std::int64_t updated = 0;             // seconds since 1970, UTC; set while the batch runs
};

std::string HtmlProgress(const ProgressReport& report);

// Returns one object with "state" ("running", "done" or "stopped"), "title", "total", "graded",
// "not_final" and "held_up". While the batch runs, the object also has "known", "running",
// "to_grade" and "updated". Once they can be estimated, it has "per_minute", "least_seconds_left"
// and "most_seconds_left".
std::string JsonProgress(const ProgressReport& report);

}  // namespace warpcheck::batch
