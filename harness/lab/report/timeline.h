// A Timeline shows when the steps of one line of a lab's table ran, or when they would run at best:
// as text, as an image in SVG, and as data.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/run/measure.h"

namespace warpcheck::lab {

struct Timeline {
  std::string title;
  std::string unit;  // "us", or "phases" without times
  std::vector<RowStep> steps;

  double Length() const;
};

// Returns the lab's timelines whose line of the table was measured.
std::vector<Timeline> TimelinesOf(const Lab& lab, const Measured& measured);

// Draws a line of characters for each stream: '>' is a copy to the GPU, '#' a kernel, '<' a copy to
// the host.
std::string TextOf(const Timeline& timeline);

// Draws a row of bars for each stream.
std::string SvgOf(const Timeline& timeline);

nlohmann::ordered_json JsonOf(const Timeline& timeline);

}  // namespace warpcheck::lab
