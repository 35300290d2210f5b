#include "report/terminal/terminal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

namespace warpcheck {

std::size_t Columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string Wrapped(std::string_view line, std::size_t width, std::size_t first_indent,
                    std::size_t indent) {
  const std::size_t own = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(own);
  std::string text(first_indent + own, ' ');
  std::size_t column = text.size();
  bool at_start = true;
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    if (!at_start && column + 1 + Columns(word) > width) {
      text += '\n' + std::string(indent + own, ' ');
      column = indent + own;
      at_start = true;
      if (word.empty()) continue;
    }
    if (!at_start) text += ' ';
    text += word;
    column += Columns(word) + (at_start ? 0 : 1);
    at_start = false;
  }
  return text + '\n';
}

std::string Quoted(std::string_view text, std::string_view prefix, std::size_t max_lines) {
  // The lines, each with its number of repetitions.
  std::vector<std::pair<std::string, std::size_t>> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    if (!lines.empty() && lines.back().first == line) {
      ++lines.back().second;
    } else {
      lines.emplace_back(line, 1);
    }
  }
  std::string quoted;
  for (const auto& [line, times] : std::span(lines).first(std::min(max_lines, lines.size()))) {
    std::string whole = std::string(prefix) + line;
    if (times > 1) whole += fmt::format("  ({} times)", times);
    whole.erase(whole.find_last_not_of(' ') + 1);
    quoted += whole + '\n';
  }
  if (lines.size() > max_lines) {
    quoted += fmt::format("{}... and {} more\n", prefix, lines.size() - max_lines);
  }
  return quoted;
}

}  // namespace warpcheck
