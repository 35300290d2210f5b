#include "batch/marks/table_text.h"

#include <string_view>

#include "report/clean_text.h"

namespace warpcheck::batch {

std::string OnOneLine(const std::string& text) {
  std::string line = CleanText(text);
  for (char& c : line) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return line;
}

std::string CellText(const std::string& text) {
  std::string words = OnOneLine(text);
  const std::size_t first = words.find_first_not_of(' ');
  if (first != std::string::npos &&
      std::string_view("=+-@").find(words[first]) != std::string::npos) {
    words.insert(0, "'");
  }
  return words;
}

}  // namespace warpcheck::batch
