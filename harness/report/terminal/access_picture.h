// An access of a warp as a picture in a terminal.
#pragma once

#include <string>

#include "report/access_layout.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck {

// Returns lines of at most 100 columns, without the place and the source. A cell holds the lane
// that touches its word; "3*" if lanes after 3 touch it too.
std::string AccessPicture(const AccessLayout& layout, const TerminalStyle& style);

}  // namespace warpcheck
