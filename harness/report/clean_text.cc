#include "report/clean_text.h"

#include "base/text/utf8.h"
#include "report/printable.h"

namespace warpcheck {
namespace {

// Returns the length of the escape sequence at the start of `text`, or 0 if there is no such
// sequence. It is a control sequence of ECMA-48, or the escape character alone.
std::size_t EscapeLength(std::string_view text) {
  if (!text.starts_with('\x1b')) return 0;
  if (!text.starts_with("\x1b[")) return 1;
  std::size_t end = 2;
  while (end < text.size() && text[end] >= 0x20 && text[end] < 0x40) ++end;
  return end < text.size() && text[end] >= 0x40 && text[end] < 0x7f ? end + 1 : end;
}

}  // namespace

std::string CleanText(std::string_view text, std::size_t max_bytes) {
  std::string clean;
  while (!text.empty()) {
    if (const std::size_t escape = EscapeLength(text)) {
      text.remove_prefix(escape);
      continue;
    }
    char32_t code = 0;
    const std::size_t length = Utf8Character(text, code);
    if (clean.size() + length > max_bytes) return clean + "...";
    if (length == 0) {
      clean += '?';
    } else if (IsPrintable(code)) {
      clean += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return clean;
}

}  // namespace warpcheck
