// Tells the observers of a launch what happens. Who calls these has seen that there are any:
// Warp::observers, Launch::observers.
#pragma once

#include "emulator/launch.h"
#include "emulator/observer.h"
#include "emulator/warp.h"

namespace warpcheck::emulator {

// Inlined always: it is compiled for several processors (CMakeLists.txt).
[[gnu::always_inline]] inline void Tell(const Observers& observers, auto event, auto&& what) {
  for (Observer* observer : observers) (observer->*event)(what);
}

// One event for each group of `lanes` whose entries of `members` (32, a mask each) are the same.
void TellWarpSync(Warp& warp, const Step& step, LaneMask lanes, const LaneMask* members,
                  bool orders_memory);

// Step::data: how many groups may still be under way. Nobody may watch.
void TellCopyGroup(Warp& warp, const Step& step, LaneMask lanes, CopyGroupEvent::What what,
                   bool bulk);

// One event for each mbarrier among `at`, where those of `lanes` are; `ended`: lanes at which a
// phase has ended. Nobody may watch.
void TellMbarriers(Warp& warp, const Step& step, MbarrierEvent::What what, LaneMask lanes,
                   const std::byte* const* at, LaneMask ended);

}  // namespace warpcheck::emulator
