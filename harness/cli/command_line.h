// What the mains of all programs with commands share.
#pragma once

#include <string>

namespace warpcheck {

// For options of CLI11, which would take "-1" for a large number: what is wrong with a whole number
// below 2^64, or nothing.
std::string Digits(const std::string& text);

// The exit status of `run`; kExitFault, and what happened on stderr, where it throws.
int RunMain(int argc, char** argv, int (*run)(int, char**));

}  // namespace warpcheck
