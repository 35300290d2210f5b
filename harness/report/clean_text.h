// Text that came from a submission, made safe to show.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck {

// Valid UTF-8 without the characters that XML 1.0 forbids (newlines and tabs stay) and without
// escape sequences; at most `max_bytes`, then "...".
std::string CleanText(std::string_view text, std::size_t max_bytes = 8192);

}  // namespace warpcheck
