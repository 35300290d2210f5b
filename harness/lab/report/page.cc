#include "lab/report/page.h"

#include <fmt/format.h>

#include "lab/report/figures.h"
#include "lab/report/tables.h"
#include "lab/report/timeline.h"
#include "report/html/html_page.h"

namespace warpcheck::lab {
namespace {

// Returns an image as the address of an <img>. In the page itself the style of the image would not
// be allowed by the page's policy.
std::string DataAddress(std::string_view svg) {
  std::string address = "data:image/svg+xml,";
  for (const char c : svg) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > ' ' && byte < 0x7f && c != '%' && c != '#' && c != '"' && c != '\'' &&
                       c != '<' && c != '>' && c != '&';
    address += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return address;
}

PageModel CellModels(const Lab& lab, const Row& row, const std::vector<std::size_t>& shown,
                     bool limiters) {
  PageModel cells = PageModel::array();
  if (!row.refused.empty()) {
    cells.push_back({{"value", "refused: " + row.refused}});
    return cells;
  }
  for (const std::size_t i : shown) {
    const auto& cell = row.cells[i];
    cells.push_back({{"value", cell ? fmt::format("{:.{}f}", *cell, lab.columns[i].digits) : "-"}});
  }
  if (limiters) cells.push_back({{"value", row.limiter ? LimiterName(*row.limiter) : "-"}});
  return cells;
}

}  // namespace

std::string PageOf(const Lab& lab, const Measured& measured) {
  PageModel axes = PageModel::array(), columns = PageModel::array(), rows = PageModel::array();
  for (const Axis& axis : lab.axes) axes.push_back({{"label", axis.label}});
  const auto shown = MeasuredColumns(lab, measured);
  for (const std::size_t i : shown) columns.push_back({{"title", lab.columns[i].title}});
  const auto limiters = LimiterColumnOf(measured);
  if (limiters) columns.push_back({{"title", limiters->title}});
  for (const Row& row : measured.rows) {
    PageModel at = PageModel::array();
    for (const AxisValue& value : row.at) at.push_back({{"value", value.text}});
    rows.push_back({{"at", std::move(at)},
                    {"variant", row.variant},
                    {"cells", CellModels(lab, row, shown, limiters.has_value())}});
  }
  PageModel figures = PageModel::array(), notes = PageModel::array();
  for (const LinePlot& plot : FiguresOf(lab, measured)) {
    figures.push_back({{"caption", plot.title}, {"address", DataAddress(SvgOf(plot))}});
  }
  for (const Timeline& timeline : TimelinesOf(lab, measured)) {
    figures.push_back({{"caption", timeline.title}, {"address", DataAddress(SvgOf(timeline))}});
  }
  for (const std::string& note : measured.notes) notes.push_back({{"note", note}});
  if (measured.fault) {
    notes.push_back({{"note", "The lab did not end: " + measured.fault->message}});
  }
  return HtmlPage("lab", lab.title,
                  {{"title", lab.title},
                   {"lecture", lab.lecture},
                   {"device", measured.device},
                   {"axes", std::move(axes)},
                   {"columns", std::move(columns)},
                   {"rows", std::move(rows)},
                   {"figures", std::move(figures)},
                   {"notes", std::move(notes)}});
}

}  // namespace warpcheck::lab
