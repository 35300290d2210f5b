#include "cli/watch/watch_loop.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/files.h"
#include "report/changes/grade_changes.h"
#include "report/changes/watched_page.h"
#include "report/clean_text.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck {
namespace {

constexpr int kReloadSeconds = 2;
constexpr std::size_t kMostNames = 5;

std::string NamesText(const std::vector<std::string>& names) {
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMostNames));
  std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return CleanText(text);
}

}  // namespace

WatchLoop::WatchLoop(SavedFiles files, std::filesystem::path submission, std::filesystem::path page,
                     int width)
    : files_(std::move(files)),
      submission_(std::move(submission)),
      page_(std::move(page)),
      width_(static_cast<std::size_t>(std::clamp(width, 60, 100))) {}

Result<> WatchLoop::WritePage(const Grade& grade, const std::vector<std::string>& changes) {
  if (page_.empty()) return {};
  last_page_ = WatchedPage(grade, changes, 0);
  return WriteFile(page_, WatchedPage(grade, changes, kReloadSeconds));
}

Result<> WatchLoop::Show(const Outcome& outcome) {
  std::vector<std::string> changes;
  if (outcome.shown && compiled_) {
    changes = GradeChanges(*compiled_, *outcome.shown);
    fmt::print("\nSince the last time:\n");
    for (const std::string& change : changes)
      fmt::print("{}", Wrapped(CleanText(change), width_, 2, 4));
  }
  if (outcome.shown && !outcome.shown->attempt.build.error) compiled_ = outcome.shown;
  fmt::print("\nWatching {}: save it to grade it again. Ctrl-C ends this.\n",
             CleanText(submission_.string()));
  const std::lock_guard lock(mutex_);
  if (ended_) return {};
  status_ = outcome.status;
  Result<> written = outcome.shown ? WritePage(*outcome.shown, changes) : Result<>();
  std::fflush(stdout);
  return written;
}

Error WatchLoop::Run(const std::function<Outcome()>& grade) {
  for (;;) {
    if (auto shown = Show(grade()); !shown) return shown.error();
    const auto saved = files_.Next([&] {
      fmt::print("{} is gone: waiting until it is there again.\n", CleanText(submission_.string()));
      std::fflush(stdout);
    });
    if (!saved) return saved.error();
    fmt::print("\nSaved: {}\n\n", NamesText(*saved));
    std::fflush(stdout);
  }
}

std::optional<int> WatchLoop::End() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(ended_, true) && !last_page_.empty()) (void)WriteFile(page_, last_page_);
  return status_;
}

}  // namespace warpcheck
