#include "cli/class/progress_display.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/files.h"
#include "cli/terminal.h"

namespace warpcheck {
namespace {

constexpr std::chrono::seconds kBetweenWrites{1};

}  // namespace

void ProgressDisplay::Show(const batch::Progress& progress) {
  const Clock::time_point now = Clock::now();
  if (progress.graded) estimate_.Add(std::chrono::duration<double>(now - last_).count());
  if (progress.graded || last_ == Clock::time_point()) last_ = now;
  if (now >= next_write_) {
    next_write_ = now + kBetweenWrites;
    report_.progress = progress;
    report_.per_minute = estimate_.PerMinute();
    report_.left = estimate_.Left(progress.to_grade);
    report_.updated = std::chrono::duration_cast<std::chrono::seconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
    Write();
  }
  const std::string text = batch::ProgressText(progress, estimate_);
  if (CanShowProgress()) {
    ShowProgressLine(text);
  } else if (const std::size_t percent =
                 100 * progress.done / std::max<std::size_t>(progress.total, 1);
             percent != shown_) {
    shown_ = percent;
    fmt::print(stderr, "{}\n", text);
  }
}

void ProgressDisplay::ShowEnd(const batch::BatchEnd& end) {
  ClearProgressLine();
  const bool done = end.cause == batch::BatchEnd::Cause::kDone;
  report_.state =
      done ? batch::ProgressReport::State::kDone : batch::ProgressReport::State::kStopped;
  report_.progress = end.progress;
  Write();
}

// A failure is ignored here, because writing the grades will report it. The page comes first, so
// that a program which waits for a state of progress.json finds it on the page too.
void ProgressDisplay::Write() const {
  std::ignore = WriteFile(folder_ / batch::kProgressPage, batch::HtmlProgress(report_));
  std::ignore = WriteFile(folder_ / batch::kProgressJson, batch::JsonProgress(report_));
}

}  // namespace warpcheck
