// An access of a warp as a picture: for shared memory which lanes meet in which bank, for global
// memory which lanes use which bytes of which sector.
#pragma once

#include <string>

#include "report/reports.h"
#include "run/access_sample.h"

namespace warpcheck {

// Lines of at most 100 columns, without the place and the source, which are the caller's. A cell
// holds the lane that touches its word; "3*" where lanes from 3 on share it.
std::string AccessPicture(const run::AccessSample& sample, const TerminalStyle& style);

}  // namespace warpcheck
