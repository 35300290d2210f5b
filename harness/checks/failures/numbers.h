// Functions that write numbers as the complaints of the checks show them.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck {

// Returns the nearest whole number, "2,048"; "0" for negative numbers.
std::string Whole(double value);
// Returns it with its noun: "1 sector", "2,048 sectors".
std::string Whole(double value, std::string_view noun);

// Returns a number with at most three decimals: "0.125", "1.0", "31.5".
std::string Ratio(double value);

}  // namespace warpcheck
