// Findings made while a kernel runs, and how the paths that lead to them end.
#pragma once

#include "emulator/launch.h"
#include "emulator/warp.h"

namespace warpcheck::emulator {

// Stop the launch.
void ReportTrap(Warp& warp, const Step& step, LaneMask lanes);
void ReportBudget(Warp& warp, const Step& step);

// Tells the observers, if there are any, of a branch at which `active` lanes part.
void ObserveBranch(Warp& warp, const Step& step, LaneMask active, LaneMask taken);

// Lanes of the top path end (or leave the function, unless `exit`).
void Leave(Warp& warp, LaneMask lanes, bool exit);
void BranchByTable(Warp& warp, const Step& step, const CodeBlock& code, BlockStats& stats,
                   LaneMask lanes);

}  // namespace warpcheck::emulator
