// WatchLoop grades a submission again whenever its files are saved, and shows what changed.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/watch/saved_files.h"
#include "grading/grade.h"

namespace warpcheck {

class WatchLoop {
 public:
  // An Outcome says how one grading ended.
  struct Outcome {
    std::optional<Grade> shown;  // what the reader may see; without a value if grading failed
    int status = 0;              // the exit status (cli/exit_status.h)
  };

  // `page` is the file of a page that reloads itself; empty if none is wanted. `width` is that of
  // the terminal, in columns.
  WatchLoop(SavedFiles files, std::filesystem::path submission, std::filesystem::path page,
            int width);
  WatchLoop(const WatchLoop&) = delete;
  WatchLoop& operator=(const WatchLoop&) = delete;

  // Grades now, and after each save. `grade` prints the report, or the error. A save during a grade
  // starts another one after it. Returns only if the files cannot be watched any more, or the page
  // cannot be written: then returns why.
  Error Run(const std::function<Outcome()>& grade);

  // Writes the page once more, so that it no longer reloads itself. Returns the exit status of the
  // last grading; without a value if none has ended. Any thread may call it, and the loop writes no
  // page afterwards.
  std::optional<int> End();

 private:
  Result<> Show(const Outcome& outcome);
  Result<> WritePage(const Grade& grade, const std::vector<std::string>& changes);

  SavedFiles files_;
  const std::filesystem::path submission_;
  const std::filesystem::path page_;
  const std::size_t width_;
  std::optional<Grade> compiled_;  // the last grade of a program that compiled

  std::mutex mutex_;  // guards what follows
  bool ended_ = false;
  std::optional<int> status_;
  std::string last_page_;  // without reloading; empty if there is none
};

}  // namespace warpcheck
