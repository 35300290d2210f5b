#include "lab/report/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json/record.h"
#include "base/json/text.h"
#include "lab/report/figures.h"
#include "lab/report/timeline.h"

namespace warpcheck::lab {
namespace {

using Cells = std::vector<std::string>;

std::string CellText(const Column& column, const std::optional<double>& cell) {
  return cell ? fmt::format("{:.{}f}", *cell, column.digits) : std::string("-");
}

Cells HeaderOf(const Lab& lab, const std::vector<std::size_t>& shown,
               const std::optional<LimiterColumn>& limiters) {
  Cells header;
  for (const Axis& axis : lab.axes) header.push_back(axis.label);
  header.emplace_back("variant");
  for (const std::size_t column : shown) header.push_back(lab.columns[column].title);
  if (limiters) header.emplace_back(limiters->title);
  return header;
}

Cells CellsOf(const Lab& lab, const Row& row, const std::vector<std::size_t>& shown,
              bool limiters) {
  Cells cells;
  for (const AxisValue& value : row.at) cells.push_back(value.text);
  cells.push_back(row.variant);
  if (!row.refused.empty()) {
    cells.push_back("refused");
    return cells;
  }
  for (const std::size_t column : shown) {
    cells.push_back(CellText(lab.columns[column], row.cells[column]));
  }
  if (limiters) cells.emplace_back(row.limiter ? LimiterName(*row.limiter) : "-");
  return cells;
}

std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Returns a whole number without a point.
nlohmann::ordered_json NumberJson(double number) {
  constexpr double kExact = 9007199254740992;  // 2^53: a double has each whole number up to here
  if (number == std::trunc(number) && std::abs(number) <= kExact) {
    return static_cast<std::int64_t>(number);
  }
  return number;
}

nlohmann::ordered_json ValueJson(const AxisValue& value) {
  if (!value.number) return value.text;
  return NumberJson(*value.number);
}

nlohmann::ordered_json CellJson(const std::optional<double>& cell) {
  if (!cell) return nullptr;
  return NumberJson(*cell);
}

nlohmann::ordered_json RowJson(const Lab& lab, const Row& row) {
  nlohmann::ordered_json json;
  for (std::size_t i = 0; i < row.at.size(); ++i) json[lab.axes[i].name] = ValueJson(row.at[i]);
  json["variant"] = row.variant;
  if (!row.refused.empty()) {
    json["refused"] = row.refused;
    json["refusal"] = row.refusal;
    return json;
  }
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    json[lab.columns[i].name] = CellJson(row.cells[i]);
  }
  if (row.limiter) json[row.use ? "limiter" : "likely_limiter"] = NameOf(*row.limiter);
  if (row.use) json["use"] = ToJson(*row.use);
  return json;
}

nlohmann::ordered_json FigureJson(const LinePlot& plot) {
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (const PlotLine& line : plot.lines) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (const auto& value : line.values) values.push_back(CellJson(value));
    lines.push_back({{"name", line.name}, {"values", std::move(values)}});
  }
  return {{"title", plot.title},
          {"x", plot.x_label},
          {"y", plot.y_label},
          {"places", plot.places},
          {"lines", std::move(lines)}};
}

// Display columns of a text that is UTF-8.
std::size_t WidthOf(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::vector<std::size_t> MeasuredColumns(const Lab& lab, const Measured& measured) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < lab.columns.size(); ++i) {
    const bool has_values = std::ranges::any_of(measured.rows, [&](const Row& row) {
      return row.refused.empty() && row.cells[i].has_value();
    });
    if (has_values) columns.push_back(i);
  }
  return columns;
}

std::optional<LimiterColumn> LimiterColumnOf(const Measured& measured) {
  const auto has_limiter = [](const Row& row) { return row.limiter.has_value(); };
  const auto has_use = [](const Row& row) { return row.use.has_value(); };
  if (!std::ranges::any_of(measured.rows, has_limiter)) return std::nullopt;
  if (std::ranges::any_of(measured.rows, has_use)) return LimiterColumn{"limiter", "limiter"};
  return LimiterColumn{"likely_limiter", "likely limiter"};
}

std::string TextTable(const Lab& lab, const Measured& measured) {
  const auto shown = MeasuredColumns(lab, measured);
  const auto limiters = LimiterColumnOf(measured);
  std::vector<Cells> lines = {HeaderOf(lab, shown, limiters)};
  for (const Row& row : measured.rows)
    lines.push_back(CellsOf(lab, row, shown, limiters.has_value()));
  std::vector<std::size_t> widths(lines[0].size() + 1);
  for (const Cells& cells : lines) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      widths[i] = std::max(widths[i], WidthOf(cells[i]));
  }
  std::string text = fmt::format("{}, on {}\n\n", lab.title, measured.device);
  const std::size_t variant = lab.axes.size();
  for (const Cells& cells : lines) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string blanks(widths[i] - WidthOf(cells[i]), ' ');
      if (i > 0) line += "  ";
      line += i == variant ? cells[i] + blanks : blanks + cells[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  for (const Timeline& timeline : TimelinesOf(lab, measured)) text += '\n' + TextOf(timeline);
  if (!measured.notes.empty()) text += '\n';
  for (const std::string& note : measured.notes) text += note + '\n';
  return text;
}

std::string CsvTable(const Lab& lab, const Measured& measured) {
  std::string text;
  for (const Axis& axis : lab.axes) text += CsvField(axis.name) + ',';
  text += "variant";
  for (const Column& column : lab.columns) text += ',' + CsvField(column.name);
  const auto limiters = LimiterColumnOf(measured);
  if (limiters) text += fmt::format(",{}", limiters->name);
  text += ",refused\n";
  for (const Row& row : measured.rows) {
    for (const AxisValue& value : row.at) text += CsvField(value.text) + ',';
    text += CsvField(row.variant);
    for (const auto& cell : row.cells) text += cell ? fmt::format(",{:.10g}", *cell) : ",";
    if (limiters) text += fmt::format(",{}", row.limiter ? NameOf(*row.limiter) : "");
    text += ',' + row.refused + '\n';
  }
  return text;
}

std::string JsonOf(const Lab& lab, const Measured& measured) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Row& row : measured.rows) rows.push_back(RowJson(lab, row));
  nlohmann::ordered_json figures = nlohmann::ordered_json::array();
  for (const LinePlot& plot : FiguresOf(lab, measured)) figures.push_back(FigureJson(plot));
  nlohmann::ordered_json json = {{"schema", "warpcheck-lab-1"}, {"lab", lab.name},
                                 {"title", lab.title},          {"device", measured.device},
                                 {"rows", std::move(rows)},     {"figures", std::move(figures)},
                                 {"notes", measured.notes}};
  const auto timelines = TimelinesOf(lab, measured);
  for (const Timeline& timeline : timelines) json["timelines"].push_back(JsonOf(timeline));
  if (measured.fault) json["fault"] = measured.fault->message;
  return JsonText(json, 2) + "\n";
}

}  // namespace warpcheck::lab
