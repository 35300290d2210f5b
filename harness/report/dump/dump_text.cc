#include "report/dump/dump_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/text.h"
#include "report/dump/elements.h"

namespace warpcheck {
namespace {

// A Window is the part of an array that a text shows.
struct Window {
  std::vector<ResultMap::Range> sides;  // in each dimension, both ends included
  bool is_all = true;
};

// Returns the most elements of a dimension that a text shows.
std::uint64_t MostShown(std::size_t dimensions, std::size_t i) {
  constexpr std::uint64_t kSide = 128;
  constexpr std::uint64_t kLine = 4096;  // of an array of one dimension
  constexpr std::uint64_t kSlices = 8;
  if (dimensions == 1) return kLine;
  return i + 2 >= dimensions ? kSide : kSlices;
}

Window WindowOf(const ArrayDump& dump) {
  const std::size_t first = dump.states.find_first_not_of(ResultMap::kRight);
  const auto at = PlaceOf(dump.extents, first == std::string::npos ? 0 : first);
  Window window;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::uint64_t extent = dump.extents[i];
    const std::uint64_t shown = std::min(extent, MostShown(at.size(), i));
    const std::uint64_t begin = std::min(at[i] - std::min(at[i], shown / 2), extent - shown);
    window.sides.push_back({.first = begin, .last = begin + shown - 1});
    window.is_all &= shown == extent;
  }
  return window;
}

std::string ExtentsText(const std::vector<std::uint64_t>& extents) {
  std::string text;
  for (const std::uint64_t extent : extents) text += (text.empty() ? "" : " x ") + Grouped(extent);
  return text;
}

std::string WindowText(const Window& window) {
  std::string text;
  for (const ResultMap::Range& side : window.sides) {
    text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", side.first, side.last);
  }
  return "[" + text + "]";
}

// Writes rows of the array, one after the other.
class Rows {
 public:
  Rows(const ArrayDump& dump, const std::function<std::string(std::uint64_t)>& element)
      : dump_(dump), element_(element), window_(WindowOf(dump)) {}

  std::string Text(const std::string& title, std::string_view what) {
    std::string text =
        fmt::format("# {}: {} elements\n# {}\n", title, ExtentsText(dump_.extents), what);
    if (!window_.is_all) {
      text +=
          fmt::format("# only the elements {}, around the first wrong one\n", WindowText(window_));
    }
    if (dump_.Elements() == 0) return text;
    std::vector<std::uint64_t> place;
    for (const ResultMap::Range& side : window_.sides) place.push_back(side.first);
    do {
      if (dump_.extents.size() > 2 &&
          place[place.size() - 2] == window_.sides[place.size() - 2].first) {
        rows_.push_back({SliceName(place), {}});
      }
      AddRow(place);
    } while (Advance(place));
    return text + Aligned();
  }

 private:
  static constexpr std::uint64_t kInALine = 16;  // elements in a line of an array of one dimension

  struct Row {
    std::string name;
    std::vector<std::string> elements;
  };

  static std::string SliceName(const std::vector<std::uint64_t>& place) {
    std::string text;
    for (std::size_t i = 0; i + 2 < place.size(); ++i) text += fmt::format("{}, ", place[i]);
    return "\n# [" + text + "...]";
  }

  // Adds the elements from `place` to the end of its row, or of its line.
  void AddRow(const std::vector<std::uint64_t>& place) {
    const std::uint64_t last = place.size() == 1
                                   ? std::min(place[0] + kInALine - 1, window_.sides[0].last)
                                   : window_.sides.back().last;
    std::uint64_t index = 0;
    for (std::size_t i = 0; i < place.size(); ++i) index = index * dump_.extents[i] + place[i];
    Row& row = rows_.emplace_back();
    row.name = fmt::format("[{}]", place.size() == 1 ? place[0] : place[place.size() - 2]);
    for (std::uint64_t column = place.back(); column <= last; ++column, ++index) {
      row.elements.push_back(element_(index) +
                             (dump_.states[index] == ResultMap::kWrong ? "!" : " "));
    }
  }

  // Moves to the next row. Returns false after the last.
  bool Advance(std::vector<std::uint64_t>& place) const {
    if (place.size() == 1) return (place[0] += kInALine) <= window_.sides[0].last;
    for (std::size_t i = place.size() - 1; i-- > 0;) {
      if (++place[i] <= window_.sides[i].last) return true;
      place[i] = window_.sides[i].first;
    }
    return false;
  }

  std::string Aligned() const {
    std::size_t name = 0;
    std::size_t element = 0;
    for (const Row& row : rows_) {
      if (!row.elements.empty()) name = std::max(name, row.name.size());
      for (const std::string& text : row.elements) element = std::max(element, text.size());
    }
    std::string text;
    for (const Row& row : rows_) {
      std::string line = row.elements.empty() ? row.name : fmt::format("{:>{}}", row.name, name);
      for (const std::string& one : row.elements) line += fmt::format(" {:>{}}", one, element);
      while (line.ends_with(' ')) line.pop_back();
      text += line + "\n";
    }
    return text;
  }

  const ArrayDump& dump_;
  const std::function<std::string(std::uint64_t)>& element_;
  const Window window_;
  std::vector<Row> rows_;
};

std::string TextOfRows(const ArrayDump& dump, const std::string& title, std::string_view what,
                       const std::function<std::string(std::uint64_t)>& element) {
  return Rows(dump, element).Text(title, what);
}

}  // namespace

std::vector<double> DifferencesOf(const ArrayDump& dump) {
  std::vector<double> differences(dump.Elements());
  for (std::uint64_t i = 0; i < differences.size(); ++i) {
    if (dump.states[i] == ResultMap::kUnwritten) {
      differences[i] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    const double expected = NumberAt(dump.type, dump.expected, i);
    const double got = NumberAt(dump.type, dump.got, i);
    const bool equal = expected == got || (std::isnan(expected) && std::isnan(got));
    differences[i] = equal ? 0 : got - expected;
  }
  return differences;
}

std::string ExpectedText(const ArrayDump& dump, const std::string& title) {
  return TextOfRows(dump, title, "expected; \"!\" follows an element for which the result is wrong",
                    [&](std::uint64_t i) { return TextAt(dump.type, dump.expected, i); });
}

std::string GotText(const ArrayDump& dump, const std::string& title) {
  return TextOfRows(
      dump, title, "got; \"!\" follows a wrong element, \"_\" is one that was never written",
      [&](std::uint64_t i) {
        return dump.states[i] == ResultMap::kUnwritten ? "_" : TextAt(dump.type, dump.got, i);
      });
}

std::string DifferenceText(const ArrayDump& dump, const std::string& title) {
  const std::vector<double> differences = DifferencesOf(dump);
  return TextOfRows(
      dump, title,
      "got - expected; \"!\" follows a wrong element, \"_\" is one that was never written",
      [&](std::uint64_t i) {
        return dump.states[i] == ResultMap::kUnwritten ? "_"
                                                       : fmt::format("{:.6g}", differences[i]);
      });
}

}  // namespace warpcheck
