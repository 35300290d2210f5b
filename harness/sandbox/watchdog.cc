#include "sandbox/watchdog.h"

#include <algorithm>
#include <fstream>

namespace warpcheck::sandbox {
namespace {

using std::chrono::microseconds;

// The most that one look can add, so that a machine that was asleep meanwhile adds little.
constexpr std::chrono::seconds kLongestLook{1};

// Returns the increase of a sum, at least 0. The sum may shrink, because it no longer contains
// threads that have ended.
microseconds Since(microseconds before, microseconds now) {
  return std::max(now - before, microseconds(0));
}

// Returns the time in which this thread was ready and had no processor; returns nothing if the
// kernel does not tell.
std::optional<microseconds> HeldUp() {
  std::ifstream file("/proc/thread-self/schedstat");
  std::uint64_t ran = 0, queued = 0;  // in nanoseconds
  if (!(file >> ran >> queued)) return std::nullopt;
  return microseconds(queued / 1000);
}

}  // namespace

void WaitPolicy::Account(const Waited& waited, const Activity& before, const Activity& now) {
  const microseconds ran = Since(before.ran, now.ran);
  const microseconds used = ran + Since(before.queued, now.queued);
  const microseconds quiet = std::min<microseconds>(waited.quiet, kLongestLook);
  // Counts at least half, because errors of a tick, and the time that waking up takes, must not add
  // up to a verdict.
  if (!now.awake && 2 * used < quiet) {
    idle_ += quiet - used;
  } else if (2 * ran < waited.passed) {
    held_ += waited.passed;
  }
}

WaitPolicy::Answer WaitPolicy::After(const Waited& waited, const std::optional<Activity>& now) {
  passed_ += waited.passed;
  if (!now) {
    held_ += waited.passed;
  } else if (last_) {
    Account(waited, *last_, *now);
  }
  if (now) last_ = now;
  if (idle_ >= limits_.idle_time) return Answer::kIdle;
  if (passed_ < limits_.wall_time) return Answer::kWait;
  return 2 * held_ >= passed_ ? Answer::kTooBusy : Answer::kIdle;
}

bool Watchdog::GoOn(Waited waited) {
  const auto held_up = HeldUp();
  if (held_up && held_up_) waited.quiet -= std::min(waited.quiet, Since(*held_up_, *held_up));
  held_up_ = held_up;
  switch (policy_.After(waited, process_.Look())) {
    case WaitPolicy::Answer::kWait:
      return true;
    case WaitPolicy::Answer::kIdle:
      cause_ = Cause::kIdle;
      return false;
    case WaitPolicy::Answer::kTooBusy:
      break;
  }
  cause_ = Cause::kTooBusy;
  return false;
}

}  // namespace warpcheck::sandbox
