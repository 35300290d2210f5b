#include <algorithm>

#include "build/build.h"
#include "build/sha256.h"

namespace warpcheck::build {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Just after a comment that begins at `at`; `at` where none does.
std::size_t AfterComment(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (!rest.starts_with("/*")) return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

// Just after what begins at `at` and belongs together: a quoted text, or all up to a blank, a
// quotation mark or what may begin a comment.
std::size_t AfterWord(std::string_view text, std::size_t at) {
  if (text[at] == '"') return std::min(text.find('"', at + 1), text.size() - 1) + 1;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != '"' && text[end] != '/' && !IsBlank(text[end])) ++end;
  return end;
}

}  // namespace

// Of its words: what is embedded in an object has no comments, fewer blanks, and ends with null
// bytes.
std::string PtxDigest(std::string_view ptx) {
  ptx = ptx.substr(0, ptx.find('\0'));
  std::string words;
  words.reserve(ptx.size());
  bool blank = false;
  for (std::size_t at = 0; at < ptx.size();) {
    const std::size_t after = AfterComment(ptx, at);
    if (after > at || IsBlank(ptx[at])) {
      blank = true;
      at = std::max(after, at + 1);
      continue;
    }
    if (blank && !words.empty()) words += ' ';
    blank = false;
    const std::size_t end = AfterWord(ptx, at);
    words += ptx.substr(at, end - at);
    at = end;
  }
  return Sha256({words});
}

}  // namespace warpcheck::build
