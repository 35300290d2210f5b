#include "ptx/student_lines.h"

#include <fmt/format.h>

#include <charconv>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>

#include "base/text.h"

namespace warpcheck::ptx {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr std::string_view kInlinedAt = "inlined_at";

struct Spot {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend auto operator<=>(const Spot&, const Spot&) = default;
};

bool TakeNumber(std::string_view& text, std::uint32_t& number) {
  text = Trimmed(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool TakeSpot(std::string_view& text, Spot& spot) {
  return TakeNumber(text, spot.file) && TakeNumber(text, spot.line) &&
         TakeNumber(text, spot.column);
}

// Returns the text after `directive` if the line begins with it.
std::optional<std::string_view> After(std::string_view line, std::string_view directive) {
  line = Trimmed(line);
  if (!line.starts_with(directive)) return std::nullopt;
  line.remove_prefix(directive.size());
  if (line.empty() || kBlank.find(line.front()) == std::string_view::npos) return std::nullopt;
  return line;
}

template <class Visit>
void ForEachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

class Rewriter {
 public:
  Rewriter(std::string_view ptx, const std::function<bool(std::string_view)>& is_student_file) {
    ForEachLine(ptx, [&](std::string_view line) {
      auto rest = After(line, ".file");
      std::uint32_t number = 0;
      if (!rest || !TakeNumber(*rest, number)) return;
      const std::size_t open = rest->find('"');
      const std::size_t close = rest->rfind('"');
      if (open >= close) return;
      of_student_[number] = is_student_file(rest->substr(open + 1, close - open - 1));
    });
  }

  std::string Line(std::string_view line) {
    if (line == "{") outer_.clear();  // a function begins
    auto rest = After(line, ".loc");
    Spot spot;
    if (!rest || !TakeSpot(*rest, spot)) return std::string(line);
    const std::size_t inlined = rest->find(kInlinedAt);
    std::optional<Spot> place = spot;
    if (!of_student_[spot.file]) place.reset();
    if (inlined != std::string_view::npos) {
      rest->remove_prefix(inlined + kInlinedAt.size());
      Spot call;
      if (!TakeSpot(*rest, call)) return std::string(line);
      if (!place) place = PlaceOfCall(call);
    }
    if (spot.line != 0) outer_[spot] = place;
    if (!place || *place == spot || spot.line == 0) return std::string(line);
    return fmt::format("\t.loc\t{} {} {}", place->file, place->line, place->column);
  }

 private:
  // Returns the student's place for a call, which may itself be inlined code.
  std::optional<Spot> PlaceOfCall(const Spot& call) {
    const auto known = outer_.find(call);
    if (known != outer_.end()) return known->second;
    return of_student_[call.file] ? std::optional(call) : std::nullopt;
  }

  std::map<std::uint32_t, bool> of_student_;   // files by their number
  std::map<Spot, std::optional<Spot>> outer_;  // for the places seen in this function
};

}  // namespace

std::string AtStudentLines(std::string_view ptx,
                           const std::function<bool(std::string_view path)>& is_student_file) {
  if (ptx.find(kInlinedAt) == std::string_view::npos) return std::string(ptx);
  Rewriter rewriter(ptx, is_student_file);
  std::string text;
  text.reserve(ptx.size());
  ForEachLine(ptx, [&](std::string_view line) { text += rewriter.Line(line) + "\n"; });
  return text;
}

}  // namespace warpcheck::ptx
