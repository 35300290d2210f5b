#include "report/terminal/register_table.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace warpcheck {
namespace {

using run::FindingStop;
using run::RegisterValues;

constexpr std::size_t kMaxWidth = 100;

std::string IntegerText(std::uint64_t value, std::uint32_t bytes) {
  const std::uint32_t unused = 64 - 8 * bytes;
  const std::int64_t number = static_cast<std::int64_t>(value << unused) >> unused;
  std::string hex = fmt::format("0x{:x}", value);
  // Shows an address in hexadecimal only, because people cannot use it as a decimal number.
  if (bytes == 8 && (number > (1LL << 40) || number < -(1LL << 40))) return hex;
  return fmt::format("{} {}", number, hex);
}

std::string FloatText(std::uint64_t value, std::uint32_t bytes) {
  if (bytes == 8) return fmt::format("{} 0x{:x}", std::bit_cast<double>(value), value);
  const auto bits = static_cast<std::uint32_t>(value);
  return fmt::format("{} 0x{:x}", std::bit_cast<float>(bits), bits);
}

std::string ValueText(const RegisterValues& values, int lane) {
  const std::uint64_t value = values.lanes[static_cast<std::size_t>(lane)];
  switch (values.type) {
    case RegisterValues::Type::kPredicate:
      return value != 0 ? "true" : "false";
    case RegisterValues::Type::kInteger:
      return IntegerText(value, values.bytes);
    case RegisterValues::Type::kFloat:
      break;
  }
  return values.bytes < 4 ? IntegerText(value, values.bytes) : FloatText(value, values.bytes);
}

bool SameInAll(const RegisterValues& values, std::uint32_t lanes) {
  if (lanes == 0) return false;
  const std::uint64_t first = values.lanes[static_cast<std::size_t>(std::countr_zero(lanes))];
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1U) != 0 && values.lanes[static_cast<std::size_t>(lane)] != first) {
      return false;
    }
  }
  return true;
}

struct Column {
  std::string head;
  std::vector<std::string> cells;
  std::size_t width = 0;
};

Column ColumnOf(const RegisterValues& values) {
  Column column;
  column.head = values.name + (values.written ? " (written)" : "");
  column.width = column.head.size();
  for (int lane = 0; lane < kLanes; ++lane) {
    column.cells.push_back(ValueText(values, lane));
    column.width = std::max(column.width, column.cells.back().size());
  }
  return column;
}

char MarkOf(const FindingStop& stop, int lane) {
  if ((stop.lanes >> lane & 1U) != 0) return '>';
  return (stop.active >> lane & 1U) != 0 ? ' ' : '-';
}

class Table {
 public:
  Table(const FindingStop& stop, const TerminalStyle& style)
      : stop_(stop), colours_(style.colours) {}

  std::string Write() {
    std::vector<Column> columns;
    for (const RegisterValues& values : stop_.registers) {
      if (SameInAll(values, stop_.active)) {
        text_ += fmt::format("{}{} = {} in all active lanes\n", values.name,
                             values.written ? " (written)" : "",
                             ValueText(values, std::countr_zero(stop_.active)));
      } else {
        columns.push_back(ColumnOf(values));
      }
    }
    for (auto first = columns.begin(); first != columns.end();) {
      std::size_t width = 7;
      auto last = first;
      do {
        width += last->width + 2;
        ++last;
      } while (last != columns.end() && width + last->width <= kMaxWidth);
      Rows({first, last});
      first = last;
    }
    return std::move(text_);
  }

 private:
  void Rows(const std::vector<Column>& columns) {
    std::string head = "  lane ";
    for (const Column& column : columns) head += fmt::format("  {:<{}}", column.head, column.width);
    text_ += head.substr(0, head.find_last_not_of(' ') + 1) + '\n';
    for (int lane = 0; lane < kLanes; ++lane) {
      std::string line = fmt::format("{} {:>4} ", MarkOf(stop_, lane), lane);
      for (const Column& column : columns) {
        line += fmt::format("  {:<{}}", column.cells[static_cast<std::size_t>(lane)], column.width);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text_ += Styled(line, lane) + '\n';
    }
  }

  std::string Styled(const std::string& line, int lane) const {
    if (!colours_) return line;
    if ((stop_.lanes >> lane & 1U) != 0) {
      return fmt::format(fg(fmt::terminal_color::red), "{}", line);
    }
    const bool active = (stop_.active >> lane & 1U) != 0;
    return active ? line : fmt::format(fmt::emphasis::faint, "{}", line);
  }

  const FindingStop& stop_;
  const bool colours_;
  std::string text_;
};

}  // namespace

std::string RegisterTable(const FindingStop& stop, const TerminalStyle& style) {
  return Table(stop, style).Write();
}

}  // namespace warpcheck
