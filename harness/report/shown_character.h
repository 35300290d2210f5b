// Which characters of Unicode a reader sees.
#pragma once

namespace warpcheck {

// Newlines and tabs are seen where they stand. Control characters are not, nor are those that take
// no room or turn the direction of writing: with them a line could seem to say something else.
bool IsShown(char32_t code);

}  // namespace warpcheck
