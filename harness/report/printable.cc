#include "report/printable.h"

namespace warpcheck {
namespace {

// These characters of the Unicode Standard are invisible, or change the direction of the text after
// them.
bool IsInvisible(char32_t code) {
  return (code >= 0x80 && code < 0xa0) || code == 0xad || code == 0x34f || code == 0x61c ||
         code == 0x115f || code == 0x1160 || code == 0x17b4 || code == 0x17b5 ||
         (code >= 0x180b && code <= 0x180f) || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
         code == 0x3164 || (code >= 0xfe00 && code <= 0xfe0f) || code == 0xfeff || code == 0xffa0 ||
         (code >= 0xfff0 && code <= 0xfffb) || code == 0xfffe || code == 0xffff ||
         (code >= 0xe0000 && code <= 0xe0fff) || (code & 0xfffe) == 0xfffe;
}

}  // namespace

bool IsPrintable(char32_t code) {
  return code == '\n' || code == '\t' || (code >= 0x20 && code != 0x7f && !IsInvisible(code));
}

}  // namespace warpcheck
