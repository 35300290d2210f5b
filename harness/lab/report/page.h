// Writes the page of a lab: its table, figures and timelines.
#pragma once

#include <string>

#include "lab/run/measure.h"

namespace warpcheck::lab {

// Returns a page that needs no other file.
std::string PageOf(const Lab& lab, const Measured& measured);

}  // namespace warpcheck::lab
