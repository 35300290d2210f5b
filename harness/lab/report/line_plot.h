// Draws a plot of a few lines over a row of labelled places, as an SVG image for light and dark
// pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpcheck {

struct PlotLine {
  std::string name;  // the text in the legend
  std::vector<std::optional<double>>
      values;           // one for each place, at least 0; nullopt leaves a gap
  bool dashed = false;  // true for a reference line
};

struct LinePlot {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> places;  // labels, which stand at equal distances
  std::vector<PlotLine> lines;      // at most six lines
};

std::string SvgOf(const LinePlot& plot);

// Returns the distance between the ticks of an axis from 0 to `most`. It is 1, 2 or 5 times a power
// of ten, so that there are about five ticks. Returns 1 if `most` is not above 0.
double TickStep(double most);

}  // namespace warpcheck
