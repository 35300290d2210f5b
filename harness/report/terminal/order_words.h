// Has the words that the list of calls and the timeline of a program share.
#pragma once

#include <cstdint>
#include <string>

namespace warpcheck {

// The list and the timeline of a program without work.
std::string NoWorkText();
// Returns what follows a call that the program made `count` times in a row: ", 12 times", or
// nothing.
std::string TimesText(std::uint64_t count);
// Returns the last line if calls are left out, or nothing.
std::string LeftOutText(std::uint64_t count);

}  // namespace warpcheck
