#include "report/clean_text.h"

#include <cstdint>

namespace warpcheck {
namespace {

// The length of the well-formed UTF-8 character at the start of `text`, 0 if there is none.
std::size_t CharacterLength(std::string_view text, std::uint32_t& code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    code = lead;
    return 1;
  }
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || lead > 0xf4 || text.size() < length) return 0;
  code = lead & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = (code << 6) | (byte(i) & 0x3fU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return overlong || surrogate || code > 0x10ffff ? 0 : length;
}

bool Shown(std::uint32_t code) {
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
    std::uint32_t code = 0;
    const std::size_t length = CharacterLength(text, code);
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
