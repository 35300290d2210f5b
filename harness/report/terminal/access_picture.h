// Draws an access of a warp as a picture for a terminal.
#pragma once

#include <string>

#include "report/access_layout.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck {

// Returns lines of at most 100 columns, without the place and the source. A cell shows the lane
// that accesses its word, or "3*" if lanes after 3 access the word too.
std::string AccessPicture(const AccessLayout& layout, const TerminalStyle& style);

}  // namespace warpcheck
