// Counts how many submissions of a batch are graded, running and waiting.
#pragma once

#include <cstddef>

namespace warpcheck::batch {

// Numbers of submissions; submissions with the same files count one by one.
struct Progress {
  std::size_t total = 0;
  std::size_t done = 0;       // with a grade
  std::size_t known = 0;      // of these: graded before this run, or refused
  std::size_t not_final = 0;  // of these: without a final score, for a person to look at
  std::size_t held_up = 0;    // not graded because of the machine; the next run grades them
  std::size_t running = 0;
  std::size_t to_grade = 0;  // those that the executor has yet to grade, including the running ones
  bool graded = false;       // true if the executor has just finished one
};

}  // namespace warpcheck::batch
