#include "report/clean_text.h"

#include "base/utf8.h"

namespace warpcheck {
namespace {

bool Shown(char32_t code) {
  if (code == '\n' || code == '\t') return true;
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
  // Turn the direction of writing, and with it what a line seems to say.
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return false;
  return code != 0xfffe && code != 0xffff;
}

// The length of an escape sequence at the start of `text` (ECMA-48: a control sequence, or the
// escape character alone), 0 if there is none.
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
    } else if (Shown(code)) {
      clean += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return clean;
}

}  // namespace warpcheck
