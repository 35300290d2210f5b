#include "compile/ptx_place.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace warpcheck::compile {
namespace {

// Removes the number that `text` starts with and returns it; 0 if there is none.
int TakeNumber(std::string_view& text) {
  text = Trimmed(text);
  int number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Returns the name in `.file 3 "name"`, where `file` is the 3. PTX has these lines at its end.
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

}  // namespace warpcheck::compile
