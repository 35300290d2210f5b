// Draws a timeline as text: a row for each step, a column for each stream.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/source_location.h"
#include "order/timeline.h"

namespace warpcheck {

// `shown` returns a place as the reader would write it. With more streams than fit beside each
// other, each row is a list. Shows the first 40 steps.
std::string TimelineText(const order::Timeline& timeline, std::size_t width,
                         const std::function<std::string(const SourceLocation&)>& shown);

}  // namespace warpcheck
