// These are the exit statuses of the commands.
#pragma once

namespace warpcheck {

// The submission got full marks, or the percentage that --fail-under asks for.
inline constexpr int kExitFull = 0;
inline constexpr int kExitLost = 1;  // the submission lost points
// The usage was wrong: the file, assignment or device does not exist.
inline constexpr int kExitUsage = 2;
inline constexpr int kExitFault =
    3;  // warpcheck had a fault, or the score needs a value that was not measured

}  // namespace warpcheck
