#include "batch/course/csv.h"

#include <csv.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "batch/course/student_names.h"

namespace warpcheck::batch {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

struct Rows {
  std::vector<std::vector<std::string>> all{{}};
};

void AddCell(void* bytes, std::size_t size, void* rows) {
  static_cast<Rows*>(rows)->all.back().emplace_back(static_cast<const char*>(bytes), size);
}

void EndRow(int /*character*/, void* rows) { static_cast<Rows*>(rows)->all.emplace_back(); }

char DelimiterOf(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return std::ranges::count(first, ';') > std::ranges::count(first, ',') ? ';' : ',';
}

std::string RowText(const std::vector<std::string>& row, char delimiter) {
  std::string text;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) text += delimiter;
    text += CsvCell(row[i], delimiter);
  }
  return text + '\n';
}

}  // namespace

int CsvTable::Column(std::string_view name) const {
  const auto found = std::ranges::find(header, CaseFolded(name),
                                       [](const std::string& cell) { return CaseFolded(cell); });
  return found == header.end() ? -1 : static_cast<int>(found - header.begin());
}

Result<CsvTable> ParseCsv(std::string_view text, const std::string& file) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  CsvTable table;
  table.delimiter = DelimiterOf(text);
  csv_parser parser;
  csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL);
  csv_set_space_func(&parser, [](unsigned char) { return 0; });  // spaces are part of the cell
  csv_set_delim(&parser, static_cast<unsigned char>(table.delimiter));
  Rows rows;
  const bool good =
      csv_parse(&parser, text.data(), text.size(), &AddCell, &EndRow, &rows) == text.size() &&
      csv_fini(&parser, &AddCell, &EndRow, &rows) == 0;
  const std::string why = good ? "" : csv_strerror(csv_error(&parser));
  csv_free(&parser);
  rows.all.pop_back();  // the end of the last row has begun another row
  const int read = static_cast<int>(rows.all.size());
  if (!good) {
    return Fail("this is not a table of comma-separated values: " + why,
                {.file = file, .line = read + 1},
                "put quotes around the whole cell, and write a quote inside it twice");
  }
  if (rows.all.empty()) return Fail("it is empty: its first line must name the columns", {file});
  table.header = std::move(rows.all.front());
  for (std::size_t i = 1; i < rows.all.size(); ++i) {
    if (rows.all[i].size() > table.header.size()) {
      return Fail(fmt::format("this row has {}, but the first row has {}",
                              Counted(rows.all[i].size(), "cell"), table.header.size()),
                  {.file = file, .line = static_cast<int>(i) + 1});
    }
    rows.all[i].resize(table.header.size());
    table.rows.push_back(std::move(rows.all[i]));
  }
  return table;
}

std::string CsvText(const CsvTable& table) {
  std::string text = RowText(table.header, table.delimiter);
  for (const auto& row : table.rows) text += RowText(row, table.delimiter);
  return text;
}

std::string CsvCell(const std::string& text, char delimiter) {
  if (text.find_first_of("\"\r\n") == std::string::npos &&
      text.find(delimiter) == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += '"';
  }
  return quoted + '"';
}

}  // namespace warpcheck::batch
