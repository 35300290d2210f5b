#include "lab/report/line_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "lab/report/plot_text.h"
#include "report/html/page_template.h"

namespace warpcheck {
namespace {

constexpr int kWidth = 780, kHeight = 420;
constexpr int kLeft = 72, kRight = 548, kTop = 48,
              kBottom = 364;  // the edges of the area that contains the lines
constexpr int kLegend = 566;
constexpr std::size_t kLegendColumns = 24;  // the characters that fit into the width of the legend
constexpr int kLegendLine = 16;             // from one line of a name to the next
constexpr double kTicks = 5;

// These colours have a contrast above 3:1 both against white and against near-black.
constexpr std::array<std::string_view, 6> kColours = {"#3b82d6", "#d9662b", "#2f9e63",
                                                      "#b65fc2", "#a58a1f", "#c74a5b"};

// The outlines of marks, relative to their middle. Lines have different marks, so that they can be
// told apart in print, and by people who do not see these colours as different.
constexpr std::array<std::string_view, 6> kMarks = {
    "m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z",
    "m-3.3 -3.3h6.6v6.6h-6.6z",
    "m0 -4.6l4.4 7.8h-8.8z",
    "m0 -4.9l4.9 4.9l-4.9 4.9l-4.9 -4.9z",
    "m0 4.6l4.4 -7.8h-8.8z",
    "m-1.4 -4.6h2.8v9.2h-2.8z"};

// A length in the picture.
std::string Length(double length) { return fmt::format("{:.1f}", length); }

// The data of the template line_plot.svg.
class Plot {
 public:
  explicit Plot(const LinePlot& plot) : plot_(plot) {
    double most = 0;
    for (const PlotLine& line : plot.lines) {
      for (const auto& value : line.values) most = std::max(most, value.value_or(0));
    }
    step_ = TickStep(most);
    top_ = std::max(step_, std::ceil(most / step_) * step_);
  }

  PageModel Model() const {
    PageModel lines = PageModel::array();
    int legend_y = kTop + 10;
    for (std::size_t i = 0; i < plot_.lines.size(); ++i) {
      lines.push_back(LineModel(i, legend_y));
      legend_y += 24 + kLegendLine * (static_cast<int>(lines.back()["names"].size()) - 1);
    }
    return {{"width", kWidth},
            {"height", kHeight},
            {"title", plot_.title},
            {"title_lines", TitleLines(plot_.title)},
            {"x_label", plot_.x_label},
            {"y_label", plot_.y_label},
            {"left", kLeft},
            {"right", kRight},
            {"top", kTop},
            {"bottom", kBottom},
            {"value_x", kLeft - 8},
            {"place_y", kBottom + 20},
            {"x_label_y", kBottom + 44},
            {"middle_x", Length((kLeft + kRight) / 2.0)},
            {"middle_y", Length((kTop + kBottom) / 2.0)},
            {"legend_x", kLegend},
            {"legend_text_x", kLegend + 34},
            {"ticks", Ticks()},
            {"places", Places()},
            {"lines", std::move(lines)}};
  }

 private:
  double X(std::size_t place) const {
    const double places = static_cast<double>(std::max<std::size_t>(plot_.places.size(), 1));
    return kLeft + (kRight - kLeft) * (static_cast<double>(place) + 0.5) / places;
  }
  double Y(double value) const { return kBottom - (kBottom - kTop) * value / top_; }

  PageModel Ticks() const {
    PageModel ticks = PageModel::array();
    const long steps = std::lround(top_ / step_);
    for (long i = 0; i <= steps; ++i) {
      const double value = static_cast<double>(i) * step_;
      ticks.push_back({{"y", Length(Y(value))},
                       {"text_y", Length(Y(value) + 4)},
                       {"value", fmt::format("{:g}", value)}});
    }
    return ticks;
  }

  PageModel Places() const {
    PageModel places = PageModel::array();
    for (std::size_t i = 0; i < plot_.places.size(); ++i) {
      places.push_back({{"x", Length(X(i))}, {"name", plot_.places[i]}});
    }
    return places;
  }

  // Returns the data of a line and its place in the legend. A line without values has no "path",
  // and is left out.
  PageModel LineModel(std::size_t line, int legend_y) const {
    std::string path;
    PageModel marks = PageModel::array();
    bool drawing = false;
    const auto& values = plot_.lines[line].values;
    for (std::size_t i = 0; i < std::min(values.size(), plot_.places.size()); ++i) {
      if (values[i]) {
        const std::string x = Length(X(i));
        const std::string y = Length(Y(*values[i]));
        path += fmt::format("{}{} {}", drawing ? 'L' : 'M', x, y);
        marks.push_back({{"x", x}, {"y", y}});
      }
      drawing = values[i].has_value();
    }
    return {{"names", TextLines(plot_.lines[line].name, kLegendColumns, legend_y + 4, kLegendLine)},
            {"colour", kColours[line % kColours.size()]},
            {"is_dashed", plot_.lines[line].dashed},
            {"path", std::move(path)},
            {"marks", std::move(marks)},
            {"mark", kMarks[line % kMarks.size()]},
            {"legend_mark_x", kLegend + 13},
            {"legend_y", legend_y}};
  }

  const LinePlot& plot_;
  double step_ = 1;
  double top_ = 1;
};

}  // namespace

double TickStep(double most) {
  if (!(most > 0) || !std::isfinite(most)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(most / kTicks)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (most / (power * times) <= kTicks) return power * times;
  }
  return power * 10;
}

std::string SvgOf(const LinePlot& plot) { return Rendered("line_plot.svg", Plot(plot).Model()); }

}  // namespace warpcheck
