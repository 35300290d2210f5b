#include "compile/embedded_ptx.h"

#include <algorithm>

#include "base/hash.h"

namespace warpcheck::compile {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Returns the position after the comment that begins at `at`, or `at` if no comment begins there.
std::size_t AfterComment(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (!rest.starts_with("/*")) return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

// Returns the position after the token that begins at `at`: a quoted text, or everything up to a
// blank, a quotation mark or a '/'.
std::size_t AfterWord(std::string_view text, std::size_t at) {
  if (text[at] == '"') return std::min(text.find('"', at + 1), text.size() - 1) + 1;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != '"' && text[end] != '/' && !IsBlank(text[end])) ++end;
  return end;
}

}  // namespace

std::vector<std::string> PtxIn(std::string_view object) {
  constexpr std::string_view kBegin = ".version ";
  std::vector<std::string> texts;
  for (std::size_t at = object.find(kBegin); at != std::string_view::npos;) {
    const std::size_t end = std::min(object.find('\0', at), object.size());
    texts.emplace_back(object.substr(at, end - at));
    at = object.find(kBegin, end);
  }
  return texts;
}

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

}  // namespace warpcheck::compile
