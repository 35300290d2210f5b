// How far a batch is, as files of its folder: progress.html, a page that reads itself again, since
// one that is opened from the disk may read no other file; and progress.json, for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "batch/batch.h"
#include "batch/estimate.h"

namespace warpcheck::batch {

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
