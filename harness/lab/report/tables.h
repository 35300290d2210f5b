// Writes the table that a lab measured: as text, as CSV and as JSON. A value that was not measured
// is
// "-" in a text, empty in CSV, and null in JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/run/measure.h"

namespace warpcheck::lab {

// Returns the indices of the columns that have a value. The table and the page show only these.
std::vector<std::size_t> MeasuredColumns(const Lab& lab, const Measured& measured);

// The column that names the limiter of each row. The tables have it if the limiter of a row is
// known.
struct LimiterColumn {
  std::string_view name;   // "limiter", or "likely_limiter" if it was not measured
  std::string_view title;  // the same for people
};
std::optional<LimiterColumn> LimiterColumnOf(const Measured& measured);

std::string TextTable(const Lab& lab, const Measured& measured);
// The header has the names of axes and columns; a refused launch has its error in the last field.
std::string CsvTable(const Lab& lab, const Measured& measured);
// Contains the table and the points of each figure.
std::string JsonOf(const Lab& lab, const Measured& measured);

}  // namespace warpcheck::lab
