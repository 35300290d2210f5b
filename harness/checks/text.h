// Numbers as the complaints of the checks write them.
#pragma once

#include <cstdint>
#include <string>

#include "base/text.h"
#include "checks/case_log.h"
#include "device/finding.h"
#include "device/launch_record.h"

namespace warpcheck {

// To the nearest whole number, "2,048"; 0 where `value` is less.
std::string Whole(double value);

// Three decimals without trailing zeros: "0.125", "1.0", "31.5".
std::string Ratio(double value);

// Findings as complaints.

// kError for what ends a kernel on a device, kHarnessFault for a device that was lost, kFailed for
// the rest.
Charge ChargeFor(const Finding& finding);

// What to do about a line with bank conflicts.

// From the worst access of the line, where one is known: which lanes meet in a bank, and the least
// spacing that keeps them apart, or that none does. Else what banks are.
std::string BankConflictHint(const LaunchRecord& launch, const LineCounters& line);

// Whether an access of the line is known that meets others in a bank.
bool HasBankConflict(const LineCounters& line);

}  // namespace warpcheck
