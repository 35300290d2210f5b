// The end of a checks program that something happened to which is no doing of the submission.
#pragma once

#include <string>

namespace warpcheck {

// Ends this process: no verdict is given, on this case or on those before it. The last line on
// stderr says why, and the status is kNotGradedStatus (results/results.h).
[[noreturn]] void EndNotGraded(const std::string& why);

}  // namespace warpcheck
