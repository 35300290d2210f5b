// A plot of a few lines over a row of labelled places, as an SVG image that reads well on light and
// dark pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpcheck {

struct PlotLine {
  std::string name;                           // as the legend has it
  std::vector<std::optional<double>> values;  // one a place, at least 0; nullopt leaves a gap
  bool dashed = false;                        // for what is compared with
};

struct LinePlot {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> places;  // at equal distances
  std::vector<PlotLine> lines;      // at most six
};

std::string SvgOf(const LinePlot& plot);

// The distance between the ticks of an axis from 0 to `most`: 1, 2 or 5 times a power of ten, so
// that there are about five. 1 for anything that is not above 0.
double TickStep(double most);

}  // namespace warpcheck
