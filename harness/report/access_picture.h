// An access of a warp as a picture: for shared memory which lanes meet in which bank, for global
// memory which lanes use which bytes of which sector.
#pragma once

#include <string>
#include <string_view>

#include "report/access_layout.h"
#include "report/reports.h"

namespace warpcheck {

// "load", "atomic".
std::string_view KindText(AccessExample::Kind kind);

// Lines of at most 100 columns, without the place and the source, which are the caller's. A cell
// holds the lane that touches its word; "3*" where lanes from 3 on share it.
std::string AccessPicture(const AccessLayout& layout, const TerminalStyle& style);

// The same as HTML: a figure with an SVG, and what it shows in words. Empty for a layout without
// rows. Up to 32 rows are drawn.
std::string AccessFigure(const AccessExample& access);

}  // namespace warpcheck
