// Numbers as the complaints of the checks write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/grouped.h"

namespace warpcheck {

// "1 element", "2,048 elements".
std::string Counted(std::uint64_t number, std::string_view noun);

// To the nearest whole number, "2,048"; 0 where `value` is less.
std::string Whole(double value);

// Three decimals without trailing zeros: "0.125", "1.0", "31.5".
std::string Ratio(double value);

// `mangled` as a person would write it: "transpose(float const*, float*, int, int)"; unchanged
// where it is no mangled name.
std::string Demangled(const std::string& mangled);

}  // namespace warpcheck
