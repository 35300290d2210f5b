#include "sandbox/patience.h"

#include <algorithm>
#include <fstream>

namespace warpcheck::sandbox {
namespace {

using std::chrono::microseconds;

// What a single look can count at most: a machine that was asleep meanwhile counts for little.
constexpr std::chrono::seconds kLongestLook{1};

// What ended with a thread is missing later: never less than nothing.
microseconds Since(microseconds before, microseconds now) {
  return std::max(now - before, microseconds(0));
}

// How long this thread could have run and was not let to; nothing where the kernel does not say.
std::optional<microseconds> HeldUp() {
  std::ifstream file("/proc/thread-self/schedstat");
  std::uint64_t ran = 0, queued = 0;  // nanoseconds
  if (!(file >> ran >> queued)) return std::nullopt;
  return microseconds(queued / 1000);
}

}  // namespace

void Patience::Account(const Waited& waited, const Activity& before, const Activity& now) {
  const microseconds ran = Since(before.ran, now.ran);
  const microseconds used = ran + Since(before.queued, now.queued);
  const microseconds quiet = std::min<microseconds>(waited.quiet, kLongestLook);
  // Half: what is measured by ticks, and how long waking up takes, must not add up to a verdict.
  if (!now.awake && 2 * used < quiet) {
    idle_ += quiet - used;
  } else if (2 * ran < waited.passed) {
    held_ += waited.passed;
  }
}

Patience::Answer Patience::After(const Waited& waited, const std::optional<Activity>& now) {
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

bool Attendant::GoOn(Waited waited) {
  const auto held_up = HeldUp();
  if (held_up && held_up_) waited.quiet -= std::min(waited.quiet, Since(*held_up_, *held_up));
  held_up_ = held_up;
  switch (patience_.After(waited, process_.Look())) {
    case Patience::Answer::kWait:
      return true;
    case Patience::Answer::kIdle:
      cause_ = Cause::kIdle;
      return false;
    case Patience::Answer::kTooBusy:
      break;
  }
  cause_ = Cause::kTooBusy;
  return false;
}

}  // namespace warpcheck::sandbox
