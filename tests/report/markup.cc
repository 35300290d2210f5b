#include "report/markup.h"

#include <algorithm>
#include <cctype>

#include "base/text/utf8.h"
#include "report/printable.h"

namespace warpcheck {
namespace {

constexpr std::string_view kHidden = "<b class=\"hidden\">";
constexpr std::string_view kHiddenEnd = "</b>";

std::string BrokenAt(std::string_view html, std::size_t at) {
  return "broken at " + std::to_string(at) + ": " + std::string(html.substr(at, 60));
}

// Appends the markup of the tag at the start of `html` to `markup`, and returns the tag's length,
// or 0 if the tag is malformed.
std::size_t TakeTag(std::string_view html, std::string& markup) {
  bool in_value = false;
  const char second = html.size() > 1 ? html[1] : ' ';
  if (std::isalpha(static_cast<unsigned char>(second)) == 0 && second != '/' && second != '!') {
    return 0;
  }
  for (std::size_t i = 0; i < html.size(); ++i) {
    const char c = html[i];
    if (c == '"') in_value = !in_value;
    if ((i > 0 && c == '<') || (in_value && c == '>')) return 0;
    if (!in_value || c == '"') markup += c;
    if (c == '>') return i + 1;
  }
  return 0;
}

}  // namespace

std::string MarkupOf(std::string_view html) {
  std::string markup;
  bool is_hidden = false;
  for (std::size_t at = 0; at < html.size();) {
    const std::string_view rest = html.substr(at);
    if (rest.starts_with(kHidden) && !is_hidden) {
      is_hidden = true;
      at += kHidden.size();
    } else if (rest.starts_with(kHiddenEnd) && is_hidden) {
      is_hidden = false;
      at += kHiddenEnd.size();
    } else if (rest.front() == '<') {
      const std::size_t length = is_hidden ? 0 : TakeTag(rest, markup);
      if (length == 0) return markup + BrokenAt(html, at);
      at += length;
    } else if (rest.front() == '>') {
      return markup + BrokenAt(html, at);
    } else {
      ++at;
    }
  }
  return markup;
}

bool ShowsAll(std::string_view html) {
  while (!html.empty()) {
    char32_t code = 0;
    const std::size_t length = Utf8Character(html, code);
    if (length == 0 || !IsPrintable(code)) return false;
    html.remove_prefix(length);
  }
  return true;
}

}  // namespace warpcheck
