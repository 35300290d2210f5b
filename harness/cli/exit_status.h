// The exit statuses of the commands.
#pragma once

namespace warpcheck {

inline constexpr int kExitFull = 0;   // full marks, or the percentage that --fail-under asks for
inline constexpr int kExitLost = 1;   // points were lost
inline constexpr int kExitUsage = 2;  // wrong usage: the file, assignment or device does not exist
inline constexpr int kExitFault =
    3;  // a fault of warpcheck, or the score needs something unmeasured

}  // namespace warpcheck
