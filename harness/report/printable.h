// Decides which characters of Unicode a reader can see.
#pragma once

namespace warpcheck {

// Returns false for control characters, and for characters that take no space or change the
// direction of writing, because a line with them could seem to have another text. Newlines and tabs
// count as visible.
bool IsPrintable(char32_t code);

}  // namespace warpcheck
