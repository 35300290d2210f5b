// Makes text that comes from a submission safe to show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

// Returns valid UTF-8 without escape sequences and without invisible characters
// (report/printable.h). Newlines and tabs stay, and bytes that are not UTF-8 become '?'. Text
// beyond `max_bytes` is replaced by "...".
std::string CleanText(std::string_view text, std::size_t max_bytes = 8192);

}  // namespace warpcheck
