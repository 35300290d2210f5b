// The checkers of the emulator: what watches a kernel and finds mistakes. A checker is an Observer
// in a file of its own, and a row in checkers.cc.
//
// Where several threads run a launch, each has checkers of its own: a checker sees the blocks that
// its thread runs, and what it finds is kept only where one thread has run the launch alone
// (parallel_run.h).
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/core/launch.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

struct Checker {
  std::string_view name;   // as --check takes it
  std::string_view finds;  // for people
  std::unique_ptr<Observer> (*make)() = nullptr;
  bool marks_writes = false;  // needs to know which bytes of device memory are written
  // One may observe one emulator after the other, and keeps its memory for the next.
  bool lasts = false;
  bool in_all = true;      // whether "all" means it too
  bool in_grades = false;  // whether what it finds costs points
};

std::span<const Checker> Checkers();
// Null where there is none of that name.
const Checker* CheckerNamed(std::string_view name);

// One of each, to watch the launches of one thread.
class CheckersOfAThread {
 public:
  explicit CheckersOfAThread(const std::vector<const Checker*>& checkers);
  // Lets `others`, and then these, watch a launch, which ends before this does.
  void Watch(Launch& launch, const Observers& others = {});

 private:
  std::vector<std::unique_ptr<Observer>> checkers_;
  Observers observers_;
};

}  // namespace warpcheck::emulator
