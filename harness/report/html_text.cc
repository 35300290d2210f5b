#include "report/html_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace warpcheck {
namespace {

// Formats of the Unicode Standard that show nothing, or turn what follows.
bool IsInvisible(char32_t code) {
  return (code >= 0x80 && code < 0xa0) || code == 0xad || code == 0x34f || code == 0x61c ||
         code == 0x115f || code == 0x1160 || code == 0x17b4 || code == 0x17b5 ||
         (code >= 0x180b && code <= 0x180f) || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
         code == 0x3164 || (code >= 0xfe00 && code <= 0xfe0f) || code == 0xfeff || code == 0xffa0 ||
         (code >= 0xfff0 && code <= 0xfffb) || code == 0xfffe || code == 0xffff ||
         (code >= 0xe0000 && code <= 0xe0fff) || (code & 0xfffe) == 0xfffe;
}

bool IsShown(char32_t code) {
  return code == '\n' || code == '\t' || (code >= 0x20 && code != 0x7f && !IsInvisible(code));
}

std::string_view Entity(char32_t code) {
  switch (code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

std::string Escaped(std::string_view text, std::size_t max_bytes, bool attribute) {
  const bool cut = text.size() > max_bytes;
  std::string html;
  const auto hidden = [&](const std::string& shown) {
    html += attribute ? shown : "<b class=\"hidden\">" + shown + "</b>";
  };
  std::size_t taken = 0;
  while (!text.empty()) {
    char32_t code = 0;
    const std::size_t length = Utf8Character(text, code);
    taken += std::max<std::size_t>(length, 1);
    if (taken > max_bytes) break;
    if (text.starts_with("\r\n")) {  // a line end of Windows is none of its own
    } else if (length == 0) {
      hidden(fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front())));
    } else if (!IsShown(code)) {
      hidden(fmt::format("U+{:04X}", static_cast<std::uint32_t>(code)));
    } else if (const std::string_view entity = Entity(code); !entity.empty()) {
      html += entity;
    } else if (attribute && code < 0x20) {
      html += ' ';
    } else {
      html += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return cut ? html + "..." : html;
}

}  // namespace

std::string HtmlText(std::string_view text, std::size_t max_bytes) {
  return Escaped(text, max_bytes, false);
}

std::string HtmlAttribute(std::string_view text, std::size_t max_bytes) {
  return Escaped(text, max_bytes, true);
}

}  // namespace warpcheck
