// Progress counts how many submissions of a batch are graded, running and waiting.
#pragma once

#include <cstddef>

namespace warpcheck::batch {

// The numbers of submissions. Each submission counts, even if several have the same files.
struct Progress {
  std::size_t total = 0;
  std::size_t done = 0;  // submissions with a grade
  // Submissions that need no work now: an earlier run has graded them, or they were refused.
  std::size_t known = 0;
  std::size_t not_final = 0;  // graded submissions without a final score, for a person to look at
  // Submissions that the machine prevented from being graded; the next run grades them.
  std::size_t held_up = 0;
  std::size_t running = 0;
  // Submissions that the executor has not graded yet, including the running ones.
  std::size_t to_grade = 0;
  bool graded = false;  // true if the executor has just finished a submission
};

}  // namespace warpcheck::batch
