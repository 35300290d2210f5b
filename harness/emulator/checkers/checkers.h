// The checkers of the emulator are observers that look for mistakes of kernels. Each checker has a
// file of its own and a row in checkers.cc.
//
// If several threads run a launch, each thread has its own checkers, which see the blocks that the
// thread runs. Their findings are kept only if a single thread has run the whole launch
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
  std::string_view name;   // the name of the checker for --check
  std::string_view finds;  // a description for people
  std::unique_ptr<Observer> (*make)() = nullptr;
  bool marks_writes = false;  // true if it needs the marks of written bytes in device memory
  // Makes a checker. One object may observe one emulator after another, and keeps its memory for
  // the next.
  bool lasts = false;
  bool in_all = true;      // true if "all" includes it
  bool in_grades = false;  // true if its findings cost points
};

std::span<const Checker> Checkers();
// Returns null if there is no checker with that name.
const Checker* CheckerNamed(std::string_view name);

// A set of checkers that watches the launches of one thread.
class CheckersOfAThread {
 public:
  explicit CheckersOfAThread(const std::vector<const Checker*>& checkers);
  // Makes `others`, and then these checkers, watch a launch. The launch must end before this object
  // is destroyed.
  void Watch(Launch& launch, const Observers& others = {});

 private:
  std::vector<std::unique_ptr<Observer>> checkers_;
  Observers observers_;
};

}  // namespace warpcheck::emulator
