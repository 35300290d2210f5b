// Shows the progress of a batch as a bar on a terminal, or otherwise as a line now and then, and in
// two files of the batch's folder (batch/work/progress_files.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include "batch/work/batch.h"
#include "batch/work/estimate.h"
#include "batch/work/progress_files.h"

namespace warpcheck {

class ProgressDisplay {
 public:
  // `title` is the assignment's.
  ProgressDisplay(std::filesystem::path folder, std::string title) : folder_(std::move(folder)) {
    report_.title = std::move(title);
  }

  void Show(const batch::Progress& progress);
  void ShowEnd(const batch::BatchEnd& end);

 private:
  using Clock = std::chrono::steady_clock;

  void Write() const;

  std::filesystem::path folder_;
  batch::ProgressReport report_;
  Clock::time_point next_write_;
  batch::Estimate estimate_;
  // The time when the last submission was graded; at first, when grading began.
  Clock::time_point last_;
  std::size_t shown_ = 0;  // the percentage that was shown last
};

}  // namespace warpcheck
