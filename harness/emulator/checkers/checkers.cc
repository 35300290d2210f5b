#include "emulator/checkers/checkers.h"

#include <algorithm>

namespace warpcheck::emulator {

// These are defined in the files of the checkers.
std::unique_ptr<Observer> MakeInitialisationChecker(bool every_read);
std::unique_ptr<Observer> MakeRaceChecker();
std::unique_ptr<Observer> MakeCachedReadChecker();
std::unique_ptr<Observer> MakeNeedlessBarrierChecker();

namespace {

template <bool every_read>
std::unique_ptr<Observer> MakeChecker() {
  return MakeInitialisationChecker(every_read);
}

constexpr Checker kCheckers[] = {
    {.name = "races",
     .finds = "accesses of several threads to one address that nothing orders",
     .make = &MakeRaceChecker,
     .lasts = true,
     .in_grades = true},
    {.name = "initialisation",
     .finds = "uses of memory that nothing has written",
     .make = &MakeChecker<false>,
     .marks_writes = true,
     .in_grades = true},
    {.name = "caches",
     .finds = "reads through a cache that does not see what the launch writes",
     .make = &MakeCachedReadChecker,
     .in_grades = true},
    {.name = "every-read",
     .finds = "reads of memory that nothing has written, whether used or not",
     .make = &MakeChecker<true>,
     .marks_writes = true,
     .in_all = false},
    {.name = "barriers",
     .finds = "barriers of a block that order nothing",
     .make = &MakeNeedlessBarrierChecker,
     .in_all = false},
};

}  // namespace

std::span<const Checker> Checkers() { return kCheckers; }

const Checker* CheckerNamed(std::string_view name) {
  const auto found = std::ranges::find(kCheckers, name, &Checker::name);
  return found == std::end(kCheckers) ? nullptr : &*found;
}

CheckersOfAThread::CheckersOfAThread(const std::vector<const Checker*>& checkers) {
  for (const Checker* checker : checkers) checkers_.push_back(checker->make());
}

void CheckersOfAThread::Watch(Launch& launch, const Observers& others) {
  observers_ = others;
  for (const auto& checker : checkers_) observers_.push_back(checker.get());
  launch.observers = observers_.empty() ? nullptr : &observers_;
  launch.tracker = nullptr;
  for (Observer* observer : observers_) {
    if (ValueTracker* tracker = observer->tracker()) launch.tracker = tracker;
  }
}

}  // namespace warpcheck::emulator
