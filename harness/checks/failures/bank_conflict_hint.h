// Says how to avoid the bank conflicts of a line.
#pragma once

#include <string>

#include "device/launch_record.h"

namespace warpcheck {

// Returns which lanes of the worst access meet in a bank, and the least spacing that avoids it, or
// that no spacing does. If the line keeps no access as an example, the text explains banks only.
std::string BankConflictHint(const LaunchRecord& launch, const LineCounters& line);

// Returns whether the line keeps an access with a bank conflict as an example.
bool HasBankConflict(const LineCounters& line);

}  // namespace warpcheck
