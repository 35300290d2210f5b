// Numbers as the complaints of the checks write them.
#pragma once

#include <string>

namespace warpcheck {

// To the nearest whole number, "2,048"; 0 where `value` is less.
std::string Whole(double value);

// Three decimals without trailing zeros: "0.125", "1.0", "31.5".
std::string Ratio(double value);

}  // namespace warpcheck
