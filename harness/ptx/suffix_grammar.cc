// Suffixes of an instruction against the forms of its row.
#include <algorithm>
#include <string>
#include <string_view>

#include "base/check.h"
#include "ptx/opcode_row.h"

namespace warpcheck::ptx {
namespace {

// The enumerator at the same place as `text` in `names`, which start at enumerator 1.
template <class Enum, std::size_t kCount>
bool Assign(Enum& field, std::string_view text, const std::string_view (&names)[kCount]) {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (names[i] != text) continue;
    field = static_cast<Enum>(i + 1);
    return true;
  }
  return false;
}

constexpr std::string_view kParts[] = {"lo", "hi", "wide"};
constexpr std::string_view kCompares[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",
                                          "lo",  "ls",  "hi",  "hs",  "equ", "neu",
                                          "ltu", "leu", "gtu", "geu", "num", "nan"};
constexpr std::string_view kBools[] = {"and", "or", "xor"};
constexpr std::string_view kAtomics[] = {"and", "or",  "xor", "cas", "exch",
                                         "add", "inc", "dec", "min", "max"};
constexpr std::string_view kShuffles[] = {"up", "down", "bfly", "idx"};
constexpr std::string_view kVotes[] = {"all", "any", "uni", "ballot"};
constexpr std::string_view kRoundings[] = {"rn",  "rz",  "rm",  "rp", "rna",
                                           "rni", "rzi", "rmi", "rpi"};
constexpr std::string_view kSpaces[] = {"const", "global", "local", "param", "shared"};

std::string_view WithoutSubspace(std::string_view space) {
  return space.starts_with("shared::") || space.starts_with("param::")
             ? space.substr(0, space.find(':'))
             : space;
}

struct Flag {
  std::string_view text;
  bool Modifiers::*field;
};

constexpr Flag kFlags[] = {
    {"ftz", &Modifiers::ftz},         {"sat", &Modifiers::sat},
    {"approx", &Modifiers::approx},   {"full", &Modifiers::full},
    {"to", &Modifiers::to},           {"uni", &Modifiers::uni},
    {"cc", &Modifiers::carry_out},    {"sync", &Modifiers::sync},
    {"aligned", &Modifiers::aligned}, {"arrive", &Modifiers::arrive},
    {"wrap", &Modifiers::wrap},       {"l", &Modifiers::left},
    {"NaN", &Modifiers::nan},         {"abs", &Modifiers::abs},
    {"all", &Modifiers::all},         {"volatile", &Modifiers::volatile_access},
};

void ApplyAuto(std::string_view text, Modifiers& modifiers) {
  for (const Flag& flag : kFlags) {
    if (flag.text == text) modifiers.*flag.field = true;
  }
  if (text == "v2" || text == "x2") modifiers.vector = 2;
  if (text == "v4" || text == "x4") modifiers.vector = 4;
  if (text == "v8") modifiers.vector = 8;
  Assign(modifiers.rounding, text, kRoundings);
  Assign(modifiers.space, WithoutSubspace(text), kSpaces);
}

void Apply(const SuffixElement& element, std::string_view text, Modifiers& modifiers) {
  if (element.is_type) {
    const Type type = TypeNamed(text).value();
    (modifiers.type == Type::kNone ? modifiers.type : modifiers.source_type) = type;
    return;
  }
  switch (element.field) {
    case SuffixField::kAuto:
      return ApplyAuto(text, modifiers);
    case SuffixField::kPart:
      Assign(modifiers.part, text, kParts);
      return;
    case SuffixField::kCompare:
      Assign(modifiers.compare, text, kCompares);
      return;
    case SuffixField::kBool:
      Assign(modifiers.bool_op, text, kBools);
      return;
    case SuffixField::kAtomic:
      Assign(modifiers.atomic, text, kAtomics);
      return;
    case SuffixField::kShuffle:
      Assign(modifiers.shuffle, text, kShuffles);
      return;
    case SuffixField::kVote:
      Assign(modifiers.vote, text, kVotes);
      return;
    case SuffixField::kToSpace:
      Assign(modifiers.to_space, WithoutSubspace(text), kSpaces);
      return;
  }
}

bool Accepts(const SuffixElement& element, std::string_view text) {
  return std::find(element.choices.begin(), element.choices.end(), text) != element.choices.end();
}

// The element of `form` for `text`: types take the first element left, others the first that fits.
std::size_t ElementFor(const OpcodeForm& form, std::string_view text, std::uint64_t used) {
  const bool is_type = TypeNamed(text).has_value();
  for (std::size_t i = 0; i < form.suffixes.size(); ++i) {
    const SuffixElement& element = form.suffixes[i];
    if ((used >> i & 1) != 0 || element.is_type != is_type) continue;
    if (Accepts(element, text)) return i;
    if (is_type) break;
  }
  return form.suffixes.size();
}

bool Match(const OpcodeForm& form, const std::vector<std::string>& suffixes, Modifiers& modifiers) {
  std::uint64_t used = 0;
  for (const std::string& suffix : suffixes) {
    const std::size_t at = ElementFor(form, suffix, used);
    if (at == form.suffixes.size()) return false;
    used |= std::uint64_t{1} << at;
    Apply(form.suffixes[at], suffix, modifiers);
  }
  for (std::size_t i = 0; i < form.suffixes.size(); ++i) {
    if (!form.suffixes[i].optional && (used >> i & 1) == 0) return false;
  }
  return true;
}

}  // namespace

const OpcodeForm* MatchSuffixes(const OpcodeRow& row, const std::vector<std::string>& suffixes,
                                Modifiers& modifiers) {
  for (const OpcodeForm& form : row.forms) {
    Modifiers matched;
    if (!Match(form, suffixes, matched)) continue;
    if (matched.to) matched.to_space = matched.space;
    modifiers = std::move(matched);
    return &form;
  }
  return nullptr;
}

bool KnowsSuffix(const OpcodeRow& row, std::string_view suffix) {
  return std::any_of(row.forms.begin(), row.forms.end(), [&](const OpcodeForm& form) {
    return std::any_of(form.suffixes.begin(), form.suffixes.end(),
                       [&](const SuffixElement& element) { return Accepts(element, suffix); });
  });
}

}  // namespace warpcheck::ptx
