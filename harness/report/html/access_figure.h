// Draws an access of a warp as a figure of a page.
#pragma once

#include "device/launch_record.h"
#include "report/html/page_template.h"

namespace warpcheck {

// Returns the data of {{> access_figure}}: an SVG picture of up to 32 rows, and the same
// information in words. Returns null if the access has no layout (LayOut).
PageModel AccessFigureModel(const AccessExample& access);

}  // namespace warpcheck
