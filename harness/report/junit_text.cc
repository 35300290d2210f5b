#include "report/junit_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "report/clean_text.h"

namespace warpcheck {

std::string Neutral(std::string_view text, std::size_t max_bytes) {
  std::string clean = CleanText(text, max_bytes);
  for (const std::string_view mark : {"[[ATTACHMENT|", "[[PROPERTY|"}) {
    for (std::size_t at = 0; (at = clean.find(mark, at)) != std::string::npos;) {
      clean.insert(at + 1, " ");
    }
  }
  return clean;
}

std::size_t EscapedSize(std::string_view text) {
  const auto marks = std::ranges::count_if(
      text, [](char c) { return std::string_view("\"'<>&").find(c) != std::string_view::npos; });
  return text.size() + 5 * static_cast<std::size_t>(marks);
}

std::string JunitTimestamp(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

}  // namespace warpcheck
