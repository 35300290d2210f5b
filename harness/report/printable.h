// Decides which characters of Unicode a reader can see.
#pragma once

namespace warpcheck {

// Returns false for control characters, and for characters that take no room or change the
// direction of writing: with them a line could seem to say something else. Newlines and tabs
// count as seen.
bool IsPrintable(char32_t code);

}  // namespace warpcheck
