#include "labs/line_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace warpcheck {
namespace {

constexpr double kWidth = 780, kHeight = 420;
constexpr double kLeft = 72, kRight = 548, kTop = 48, kBottom = 364;  // of the area of the lines
constexpr double kLegend = 566;
constexpr double kTicks = 5;

// Mid tones: against white and against near-black the contrast is above 3:1.
constexpr std::array<std::string_view, 6> kColours = {"#3b82d6", "#d9662b", "#2f9e63",
                                                      "#b65fc2", "#a58a1f", "#c74a5b"};

constexpr std::string_view kPlotStyle =
    "<style>\n"
    "  text { font: 13px system-ui, sans-serif; fill: #24292f }\n"
    "  .title { font-size: 16px; font-weight: 600 }\n"
    "  .axis { stroke: #6e7781; fill: none }\n"
    "  .grid { stroke: #6e7781; stroke-opacity: .25 }\n"
    "  .line { fill: none; stroke-width: 2.5; stroke-linejoin: round }\n"
    "  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }\n"
    "</style>\n";

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string Text(double x, double y, std::string_view attributes, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes,
                     Escaped(text));
}

std::string Stroke(double x1, double y1, double x2, double y2, std::string_view attributes) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1,
                     x2, y2, attributes);
}

class Painter {
 public:
  explicit Painter(const LinePlot& plot) : plot_(plot) {
    double most = 0;
    for (const PlotLine& line : plot.lines) {
      for (const auto& value : line.values) most = std::max(most, value.value_or(0));
    }
    step_ = TickStep(most);
    top_ = std::max(step_, std::ceil(most / step_) * step_);
  }

  std::string Paint() const {
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">\n"
        "<title>{}</title>\n{}",
        kWidth, kHeight, Escaped(plot_.title), kPlotStyle);
    svg += Text(kLeft, 26, "class=\"title\"", plot_.title);
    svg += Axes();
    for (std::size_t i = 0; i < plot_.lines.size(); ++i) svg += Line(i) + Legend(i);
    return svg + "</svg>\n";
  }

 private:
  double X(std::size_t place) const {
    const double places = static_cast<double>(std::max<std::size_t>(plot_.places.size(), 1));
    return kLeft + (kRight - kLeft) * (static_cast<double>(place) + 0.5) / places;
  }
  double Y(double value) const { return kBottom - (kBottom - kTop) * value / top_; }

  std::string Axes() const {
    std::string svg;
    const long steps = std::lround(top_ / step_);
    for (long i = 0; i <= steps; ++i) {
      const double value = static_cast<double>(i) * step_;
      const double y = Y(value);
      svg += Stroke(kLeft, y, kRight, y, "class=\"grid\"");
      svg += Text(kLeft - 8, y + 4, "text-anchor=\"end\"", fmt::format("{:g}", value));
    }
    for (std::size_t i = 0; i < plot_.places.size(); ++i) {
      svg += Stroke(X(i), kBottom, X(i), kBottom + 5, "class=\"axis\"");
      svg += Text(X(i), kBottom + 20, "text-anchor=\"middle\"", plot_.places[i]);
    }
    svg += fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>\n", kLeft, kTop, kBottom, kRight);
    svg += Text((kLeft + kRight) / 2, kBottom + 44, "text-anchor=\"middle\"", plot_.x_label);
    const double middle = (kTop + kBottom) / 2;
    svg += Text(18, middle,
                fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 18 {:.1f})\"", middle),
                plot_.y_label);
    return svg;
  }

  std::string Style(std::size_t line) const {
    return fmt::format("stroke=\"{}\"{}", kColours[line % kColours.size()],
                       plot_.lines[line].dashed ? " stroke-dasharray=\"6 5\"" : "");
  }

  std::string Line(std::size_t line) const {
    std::string path, marks;
    bool drawing = false;
    const auto& values = plot_.lines[line].values;
    for (std::size_t i = 0; i < std::min(values.size(), plot_.places.size()); ++i) {
      if (values[i]) {
        path += fmt::format("{}{:.1f} {:.1f}", drawing ? 'L' : 'M', X(i), Y(*values[i]));
        marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", X(i),
                             Y(*values[i]), kColours[line % kColours.size()]);
      }
      drawing = values[i].has_value();
    }
    if (path.empty()) return {};
    return fmt::format("<path class=\"line\" {} d=\"{}\"/>\n{}", Style(line), path, marks);
  }

  std::string Legend(std::size_t line) const {
    const double y = kTop + 10 + 24 * static_cast<double>(line);
    return Stroke(kLegend, y, kLegend + 26, y, "class=\"line\" " + Style(line)) +
           Text(kLegend + 34, y + 4, "", plot_.lines[line].name);
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

std::string SvgOf(const LinePlot& plot) { return Painter(plot).Paint(); }

}  // namespace warpcheck
