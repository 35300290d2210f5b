#include "lab/report/figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpcheck::lab {
namespace {

// Makes one figure from the rows of a lab.
class FigureMaker {
 public:
  FigureMaker(const Lab& lab, const Measured& measured, const Figure& figure)
      : lab_(lab), rows_(measured.rows), figure_(figure) {
    for (std::size_t i = 0; i < lab.axes.size(); ++i) {
      const auto at = figure.at.find(lab.axes[i].name);
      fixed_.push_back(at != figure.at.end() ? at->second : ValuesOf(i).front());
    }
  }

  LinePlot Make(const std::string& device) const {
    LinePlot plot;
    plot.title = fmt::format("{}: {}", figure_.title, device);
    plot.x_label = lab_.axes[figure_.x].label;
    plot.y_label = lab_.columns[figure_.column].title;
    plot.places = ValuesOf(figure_.x);
    if (figure_.lines) {
      for (const std::string& value : ValuesOf(*figure_.lines))
        AddLine(plot, figure_.variant, value);
    } else {
      for (const std::string& variant : figure_.variants) AddLine(plot, variant, "");
    }
    if (figure_.reference) AddReference(plot);
    return plot;
  }

 private:
  // Returns the values that an axis has in the rows.
  std::vector<std::string> ValuesOf(std::size_t axis) const {
    std::vector<std::string> values;
    for (const Row& row : rows_) {
      if (std::ranges::find(values, row.at[axis].text) == values.end()) {
        values.push_back(row.at[axis].text);
      }
    }
    return values;
  }

  bool Fits(const Row& row, const std::string& place, const std::string& line) const {
    for (std::size_t i = 0; i < row.at.size(); ++i) {
      const std::string& wanted = i == figure_.x                         ? place
                                  : figure_.lines && i == *figure_.lines ? line
                                                                         : fixed_[i];
      if (row.at[i].text != wanted) return false;
    }
    return true;
  }

  void AddLine(LinePlot& plot, const std::string& variant, const std::string& value) const {
    PlotLine& line = plot.lines.emplace_back();
    line.name =
        figure_.lines ? fmt::format("{} {}", lab_.axes[*figure_.lines].label, value) : variant;
    for (const std::string& place : plot.places) {
      const auto row = std::ranges::find_if(rows_, [&](const Row& other) {
        return other.variant == variant && Fits(other, place, value);
      });
      const bool known = row != rows_.end() && row->refused.empty();
      line.values.push_back(known ? row->cells[figure_.column] : std::nullopt);
    }
  }

  // Adds the median of the reference column over the lines.
  void AddReference(LinePlot& plot) const {
    PlotLine reference;
    reference.name = lab_.columns[*figure_.reference].title;
    reference.dashed = true;
    for (const std::string& place : plot.places) {
      std::vector<double> values;
      for (const Row& row : rows_) {
        if (row.at[figure_.x].text != place || !row.refused.empty()) continue;
        if (const auto cell = row.cells[*figure_.reference]) values.push_back(*cell);
      }
      std::ranges::sort(values);
      reference.values.push_back(values.empty() ? std::nullopt
                                                : std::optional(values[values.size() / 2]));
    }
    plot.lines.push_back(std::move(reference));
  }

  const Lab& lab_;
  const std::vector<Row>& rows_;
  const Figure& figure_;
  std::vector<std::string> fixed_;  // a value of each axis
};

bool HasValues(const PlotLine& line) {
  return std::ranges::any_of(line.values, [](const auto& value) { return value.has_value(); });
}

}  // namespace

std::vector<LinePlot> FiguresOf(const Lab& lab, const Measured& measured) {
  std::vector<LinePlot> plots;
  if (measured.rows.empty()) return plots;
  for (const Figure& figure : lab.figures) {
    LinePlot plot = FigureMaker(lab, measured, figure).Make(measured.device);
    if (std::ranges::any_of(plot.lines, HasValues)) plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace warpcheck::lab
