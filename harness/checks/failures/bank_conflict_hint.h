// What to do about a line with bank conflicts.
#pragma once

#include <string>

#include "device/launch_record.h"

namespace warpcheck {

// From the worst access of the line, where one is known: which lanes meet in a bank, and the least
// spacing that keeps them apart, or that none does. Else what banks are.
std::string BankConflictHint(const LaunchRecord& launch, const LineCounters& line);

// Whether an access of the line is known that meets others in a bank.
bool HasBankConflict(const LineCounters& line);

}  // namespace warpcheck
