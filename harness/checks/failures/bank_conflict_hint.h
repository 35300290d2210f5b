// Says how to avoid the bank conflicts of a line.
#pragma once

#include <string>

#include "device/launch_record.h"

namespace warpcheck {

// Returns a text that says which lanes of the worst access meet in a bank, and the least spacing
// that avoids it, or that no spacing avoids it. If the line keeps no example of an access, the text
// explains only what banks are.
std::string BankConflictHint(const LaunchRecord& launch, const LineCounters& line);

// Returns whether the line keeps an example of an access with a bank conflict.
bool HasBankConflict(const LineCounters& line);

}  // namespace warpcheck
