#include "cpptext/preprocessing.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/text.h"

namespace warpcheck::cpptext {
namespace {

constexpr std::size_t kMostAlternatives = 1024;

// Returns true for blanks. NUL is a blank, as for GCC.
bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsQuote(char c) { return c == '"' || c == '\''; }
// Returns true for a byte that some compilers allow in names, depending on the bytes after it.
bool IsUnusual(char c) { return static_cast<unsigned char>(c) >= 0x80 || c == '$' || c == '\\'; }
bool MayBeOfName(char c) { return IsOfIdentifier(c) || IsUnusual(c); }

bool IsRawPrefix(std::string_view name) {
  constexpr std::array<std::string_view, 5> kPrefixes = {"R", "u8R", "uR", "UR", "LR"};
  return std::ranges::find(kPrefixes, name) != kPrefixes.end();
}

// Returns the length of a "\" together with the blanks and the newline after it, or 0 if there is
// no such sequence.
std::size_t SpliceLength(std::string_view text) {
  if (!text.starts_with('\\')) return 0;
  std::size_t end = 1;
  while (end < text.size() && IsBlank(text[end])) ++end;
  if (text.substr(end).starts_with("\r\n")) return end + 2;
  return end < text.size() && (text[end] == '\n' || text[end] == '\r') ? end + 1 : 0;
}

// A Place is a position in the joined text, where the next piece begins.
struct Place {
  std::size_t at = 0;
  bool line_starts = true;  // true if only blanks and comments stand before it in its line
  bool in_directive = false;
  // True if only blanks and comments stand between the hash and this place.
  bool behind_hash = false;
};

enum class PieceKind : std::uint8_t { kOther, kComment, kLiteral, kRawString, kHash, kNumber };

struct Piece {
  PieceKind kind = PieceKind::kOther;
  Place next;
};

// Finds the next `c` at or behind a position. It remembers its last answer, so that a search from
// each of many ascending positions takes linear time in all.
class NextOf {
 public:
  explicit NextOf(char c) : c_(c) {}

  // Returns where the next `c` is, from `at` on, or the size of `text` if there is none. Adds the
  // number of bytes looked at to `*work`.
  std::size_t From(std::string_view text, std::size_t at, std::size_t* work) {
    if (at < from_ || at > found_) {
      from_ = at;
      found_ = std::min(text.find(c_, at), text.size());
      *work += found_ - at + 1;
    }
    return found_;
  }

 private:
  char c_;
  std::size_t from_ = 1;  // no position is from 1 to 0
  std::size_t found_ = 0;
};

enum class Wanted : std::uint8_t { kFirst, kAll };

class Cutter {
 public:
  // Finds every piece that may stand at a place, or only the first one.
  Cutter(std::string_view text, Wanted wanted) : wanted_(wanted), text_(text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    joined_.reserve(text.size());
    origins_.reserve(text.size() + 1);
    std::size_t i = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    while (i < text.size()) {
      if (const std::size_t splice = SpliceLength(text.substr(i)); splice != 0) {
        i += splice;
        continue;
      }
      joined_ += text[i] == '\r' ? '\n' : text[i];  // both characters end a line, as for GCC
      origins_.push_back(static_cast<std::uint32_t>(i++));
    }
    origins_.push_back(static_cast<std::uint32_t>(text.size()));
  }

  std::size_t size() const { return joined_.size(); }
  // Returns the position in the original text.
  std::size_t Origin(std::size_t at) const { return origins_[at]; }

  // Returns how many bytes were looked at by now, in all searches for ends of pieces.
  std::size_t work() const { return work_; }

  // Finds the pieces that may begin at `place`, which must not be the end: several if macros decide
  // (PossibleDirectives). The first one is what the standard requires where no macro decides.
  void Cut(const Place& place, std::vector<Piece>& pieces) {
    pieces.clear();
    ++work_;
    const char c = At(place.at);
    const auto add = [&](PieceKind kind, std::size_t end) { Add(pieces, kind, place, end); };
    if (c == '\n') {
      pieces.push_back({.next = {.at = place.at + 1}});
    } else if (IsBlank(c)) {
      pieces.push_back(
          {.next = {place.at + 1, place.line_starts, place.in_directive, place.behind_hash}});
    } else if (Starts(place.at, "//")) {
      add(PieceKind::kComment, EndOfLine(place.at));
    } else if (Starts(place.at, "/*")) {
      const std::size_t end = Find(joined_, "*/", place.at + 2);
      add(PieceKind::kComment, end == std::string::npos ? size() : end + 2);
    } else if (IsQuote(c)) {
      AddLiteral(pieces, place);
    } else if (IsDigit(c) || (c == '.' && IsDigit(At(place.at + 1)))) {
      AddNumber(pieces, place);
    } else if (MayBeOfName(c)) {
      AddName(pieces, place, place.at);
    } else if ((c == '#' || Starts(place.at, "%:")) && MayBeginDirective(place)) {
      const std::size_t end = place.at + (c == '#' ? 1 : 2);
      pieces.push_back({PieceKind::kHash, {end, false, true, true}});
    } else {
      add(PieceKind::kOther, place.at + 1);
      // It may be the name of a header, in #include or in a __has_include that a macro may hide.
      if (c != '<' || !place.in_directive || Enough(pieces)) return;
      const std::size_t close = close_.From(joined_, place.at, &work_);
      if (close < EndOfLine(place.at)) add(PieceKind::kLiteral, close + 1);
    }
  }

 private:
  char At(std::size_t at) const { return at < size() ? joined_[at] : '\n'; }
  bool Starts(std::size_t at, std::string_view with) const {
    return std::string_view(joined_).substr(at).starts_with(with);
  }
  std::size_t EndOfLine(std::size_t at) { return line_end_.From(joined_, at, &work_); }

  // Returns the position of `what` from `at` on, or npos.
  std::size_t Find(std::string_view text, std::string_view what, std::size_t at) {
    const std::size_t found = text.find(what, at);
    work_ += std::min(found, text.size()) - std::min(at, text.size()) + 1;
    return found;
  }

  // True if no further piece is wanted.
  bool Enough(const std::vector<Piece>& pieces) const {
    return wanted_ == Wanted::kFirst && !pieces.empty();
  }

  // Some compilers join lines only if no blank follows the backslash. This function considers both
  // cases.
  bool MayBeginDirective(const Place& place) const {
    const bool behind_splice = place.at > 0 && Origin(place.at) != Origin(place.at - 1) + 1;
    return !place.in_directive && (place.line_starts || behind_splice);
  }

  static void Add(std::vector<Piece>& pieces, PieceKind kind, const Place& place, std::size_t end) {
    const bool blank = kind == PieceKind::kComment;
    pieces.push_back(
        {kind, {end, place.line_starts && blank, place.in_directive, place.behind_hash && blank}});
  }

  // Returns the end of the literal whose quotation mark is at `at`.
  std::size_t EndOfLiteral(std::size_t at, bool escapes) {
    for (std::size_t i = at + 1; i < size(); ++i) {
      ++work_;
      if (joined_[i] == '\n') return i;
      if (joined_[i] == joined_[at]) return i + 1;
      if (escapes && joined_[i] == '\\' && At(i + 1) != '\n') ++i;
    }
    return size();
  }

  // Returns the end of the raw string whose quotation mark is at `at`. Lines are not joined in it.
  std::optional<std::size_t> EndOfRawString(std::size_t at) {
    constexpr std::size_t kLongestDelimiter = 16;
    const std::size_t begin = Origin(at) + 1;
    const std::size_t bytes = Find(text_.substr(begin, kLongestDelimiter + 1), "(", 0);
    if (bytes == std::string_view::npos) return std::nullopt;
    const std::size_t open = begin + bytes;
    const std::string_view delimiter = text_.substr(begin, bytes);
    if (delimiter.find_first_of(" )\\\t\v\f\n\"") != std::string_view::npos) return std::nullopt;
    const std::string end = ")" + std::string(delimiter) + "\"";
    const std::size_t found = Find(text_, end, open + 1);
    if (found == std::string_view::npos) return size();
    const auto joined = std::ranges::lower_bound(origins_, found + end.size());
    return static_cast<std::size_t>(joined - origins_.begin());
  }

  // Adds a literal twice: with its suffix, which is a name that follows without a blank, and
  // without the suffix, because the name may be a macro.
  void AddWithSuffix(std::vector<Piece>& pieces, PieceKind kind, const Place& place,
                     std::size_t end) {
    std::size_t behind = end;
    while (MayBeOfName(At(behind))) ++behind;
    work_ += behind - end;
    if (behind != end && IsQuote(At(behind))) Add(pieces, kind, place, behind);
    Add(pieces, kind, place, end);
  }

  void AddLiteral(std::vector<Piece>& pieces, const Place& place) {
    const std::size_t end = EndOfLiteral(place.at, true);
    AddWithSuffix(pieces, PieceKind::kLiteral, place, end);
    if (!place.in_directive || Enough(pieces)) return;
    const std::size_t end_of_name =
        EndOfLiteral(place.at, false);  // the name of a file has no escapes
    if (end_of_name != end) AddWithSuffix(pieces, PieceKind::kLiteral, place, end_of_name);
  }

  void AddNumber(std::vector<Piece>& pieces, const Place& place) {
    std::size_t end = place.at;
    for (; end < size() && !Enough(pieces); ++end) {
      ++work_;
      const char c = joined_[end];
      const char before = end > place.at ? joined_[end - 1] : ' ';
      const bool sign = (c == '+' || c == '-') &&
                        (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      const bool separator = c == '\'' && IsOfIdentifier(At(end + 1));
      if (c == '\'' && (before == '\'' || At(end + 1) == '\'')) {
        Add(pieces, PieceKind::kNumber, place, end);  // compilers disagree about this case
      } else if (IsUnusual(c)) {
        AddName(pieces, place, end, PieceKind::kNumber);
        return;
      } else if (!IsOfIdentifier(c) && c != '.' && !sign && !separator) {
        break;
      }
    }
    if (!Enough(pieces)) Add(pieces, PieceKind::kNumber, place, end);
  }

  // Adds the name at `at`, or the raw string that begins with it. The piece begins at `place`;
  // digits may stand between the two positions.
  void AddName(std::vector<Piece>& pieces, const Place& place, std::size_t at,
               PieceKind kind = PieceKind::kOther) {
    std::size_t part = at;  // behind the last byte that may not belong to a name
    std::size_t end = at;
    for (; MayBeOfName(At(end)); ++end) {
      if (IsUnusual(At(end))) part = end + 1;
    }
    work_ += end - at;
    const bool raw =
        At(end) == '"' && IsRawPrefix(std::string_view(joined_).substr(part, end - part));
    const bool sure = part == place.at && !place.in_directive;
    if (!sure) Add(pieces, kind, place, end);
    const auto raw_end = raw && !Enough(pieces) ? EndOfRawString(end) : std::nullopt;
    if (sure && !raw_end) Add(pieces, kind, place, end);
    if (raw_end) AddWithSuffix(pieces, PieceKind::kRawString, place, *raw_end);
  }

  const Wanted wanted_;
  const std::string_view text_;
  std::size_t work_ = 0;
  NextOf close_{'>'};
  NextOf line_end_{'\n'};
  std::string joined_;
  std::vector<std::uint32_t>
      origins_;  // the original positions of each byte of joined_ and of its end
};

}  // namespace

std::string WithoutCommentsAndLiterals(std::string_view text, std::size_t* work) {
  Cutter cutter(text, Wanted::kFirst);
  std::string blank(text);
  std::vector<Piece> pieces;
  for (Place place; place.at < cutter.size();) {
    cutter.Cut(place, pieces);
    const Piece& piece = pieces.front();
    const bool hidden = piece.kind == PieceKind::kComment || piece.kind == PieceKind::kLiteral ||
                        piece.kind == PieceKind::kRawString;
    const std::size_t end = hidden ? cutter.Origin(piece.next.at) : 0;
    for (std::size_t i = cutter.Origin(place.at); i < end; ++i) {
      if (blank[i] != '\n') blank[i] = ' ';
    }
    place = piece.next;
  }
  if (work != nullptr) *work = cutter.work();
  return blank;
}

PossibleDirectives FindPossibleDirectives(std::string_view text) {
  Cutter cutter(text, Wanted::kAll);
  PossibleDirectives found;
  std::vector<bool> known(8 * cutter.size());
  std::vector<Place> open = {Place()};
  std::vector<Piece> pieces;
  std::size_t alternatives = 0;
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    const std::size_t key = 8 * place.at + (place.line_starts ? 4U : 0U) +
                            (place.in_directive ? 2U : 0U) + (place.behind_hash ? 1U : 0U);
    if (place.at >= cutter.size() || known[key]) continue;
    known[key] = true;
    cutter.Cut(place, pieces);
    alternatives += pieces.size() - 1;
    if (alternatives > kMostAlternatives) {
      found.complete = false;
      break;
    }
    const std::size_t begin = cutter.Origin(place.at);
    for (const Piece& piece : pieces) {
      open.push_back(piece.next);
      if (piece.kind == PieceKind::kHash) {
        found.hashes.push_back(begin);
      } else if (piece.kind == PieceKind::kNumber && place.behind_hash) {
        found.numbers.push_back(begin);
      } else if (piece.kind == PieceKind::kRawString) {
        found.raw_strings.push_back({begin, cutter.Origin(piece.next.at)});
      }
    }
  }
  std::ranges::sort(found.hashes);
  std::ranges::sort(found.numbers);
  return found;
}

}  // namespace warpcheck::cpptext
