#include "build/ptx_place.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "build/build.h"
#include "build/sha256.h"

namespace warpcheck::build {

namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// The number that `text` starts with, which is taken off it; 0 for none.
int TakeNumber(std::string_view& text) {
  text = Trimmed(text);
  int number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Of ".file 3 "name"", where the number is `file`; they stand at the end of the PTX.
std::string FileName(std::string_view ptx, int file) {
  for (std::size_t at = 0; (at = ptx.find(".file", at)) != std::string_view::npos; ++at) {
    std::string_view rest = ptx.substr(at + 5, ptx.substr(at).find('\n'));
    if (TakeNumber(rest) != file) continue;
    const std::size_t open = rest.find('"');
    const std::size_t close = rest.find('"', open + 1);
    if (close != std::string_view::npos)
      return std::string(rest.substr(open + 1, close - open - 1));
  }
  return {};
}

}  // namespace

PtxPlace PlaceInPtx(std::string_view ptx, int line) {
  PtxPlace place;
  int file = 0;
  std::string_view rest = ptx;
  for (int number = 1; number <= line; ++number) {
    if (rest.empty()) return {};
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    std::string_view text = Trimmed(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (number == line) place.text = text;
    if (text.find(".entry ") != std::string_view::npos || text.starts_with(".func")) file = 0;
    if (!text.starts_with(".loc")) continue;
    text.remove_prefix(4);
    file = TakeNumber(text);
    place.where.line = TakeNumber(text);
  }
  place.where.file = file == 0 ? "" : FileName(ptx, file);
  if (place.where.file.empty()) place.where = {};
  return place;
}

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
