#include "ptx/opcode_row.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace warpcheck::ptx {
namespace {

// RowText is a row as it is written.
struct RowText {
  std::string_view mnemonic, suffixes, operands;
  bool executed;
};

constexpr std::array<RowText, kOpcodeCount> kTexts{{
#define OPCODE(name, mnemonic, suffixes, operands) {mnemonic, suffixes, operands, true},
#define PARSED_OPCODE(name, mnemonic, suffixes, operands) {mnemonic, suffixes, operands, false},
#include "ptx/opcodes.def"
#undef OPCODE
}};

// The sets of suffixes that forms use as "$name".
constexpr std::pair<std::string_view, std::string_view> kSets[] = {
    {"i", "u16|u32|u64|s16|s32|s64"},
    {"i8", "u8|u16|u32|u64|s8|s16|s32|s64"},
    {"i3264", "u32|u64|s32|s64"},
    {"b", "b16|b32|b64"},
    {"f", "f32|f64"},
    {"i16x2", "u16x2|s16x2"},
    {"h", "f16|f16x2"},
    {"bh", "bf16|bf16x2"},
    {"set", "u32|s32|f32"},
    {"mem", "b8|b16|b32|b64|b128|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"},
    {"rnd", "rn|rz|rm|rp"},
    {"irnd", "rni|rzi|rmi|rpi"},
    {"vec", "v2|v4|v8"},
    {"scope", "cta|cluster|gpu|sys"},
    {"sem", "relaxed|acquire|release|acq_rel"},
    {"redsem", "relaxed|release"},
    {"space", "const|global|local|shared|shared::cta|shared::cluster|param|param::entry"},
    {"ldspace",
     "const|global|local|shared|shared::cta|shared::cluster|param|param::entry|param::func"},
    {"stspace", "global|local|shared|shared::cta|shared::cluster|param|param::func"},
    {"atspace", "global|shared|shared::cta|shared::cluster"},
    {"cop", "ca|cg|cs|lu|cv|wb|wt"},
    {"evict",
     "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"},
    {"fetch", "L2::64B|L2::128B|L2::256B"},
    {"icmp", "eq|ne|lt|le|gt|ge"},
    {"ucmp", "lo|ls|hi|hs"},
    {"fcmp", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
    {"bool", "and|or|xor"},
    {"barspace", "shared|shared::cta|shared::cluster"},
    {"matspace", "global|shared|shared::cta"},
    {"wshape", "m16n16k16|m32n8k16|m8n32k16|m16n16k8|m8n8k4"},
    {"mshape",
     "m8n8k4|m8n8k16|m8n8k32|m8n8k128|m16n8k4|m16n8k8|m16n8k16|m16n8k32|m16n8k64|m16n8k128|"
     "m16n8k256"},
    {"tiny", "s4|u4|b1"},
    {"tinyop", "xor|and|popc"},
    {"f8", "e4m3|e5m2|e3m2|e2m3|e2m1"},
    {"texture", "1d|2d|3d|a1d|a2d|cube|acube|2dms|a2dms"},
    {"surface", "1d|2d|3d|a1d|a2d"},
    {"surfacecop", "ca|cg|cs|cv|wb|wt"},
    {"query", "width|height|depth|array_size"},
    {"l2evict", "L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged"},
};

// These functions set fields of Modifiers for a suffix.

constexpr std::pair<std::string_view, bool Modifiers::*> kFlags[] = {
    {"ftz", &Modifiers::ftz},         {"sat", &Modifiers::sat},
    {"approx", &Modifiers::approx},   {"full", &Modifiers::full},
    {"to", &Modifiers::to},           {"uni", &Modifiers::uni},
    {"cc", &Modifiers::carry_out},    {"sync", &Modifiers::sync},
    {"aligned", &Modifiers::aligned}, {"arrive", &Modifiers::arrive},
    {"wrap", &Modifiers::wrap},       {"l", &Modifiers::left},
    {"NaN", &Modifiers::nan},         {"abs", &Modifiers::abs},
    {"all", &Modifiers::all},         {"volatile", &Modifiers::volatile_access},
};

// Sets the field whose values include the suffix. Of "shared::cta" only the space counts.
template <auto kField>
void ApplyNamed(std::string_view suffix, Modifiers& modifiers) {
  using Field = std::remove_reference_t<decltype(modifiers.*kField)>;
  if (suffix.starts_with("shared::") || suffix.starts_with("param::")) {
    suffix = suffix.substr(0, suffix.find(':'));
  }
  if (const auto value = ValueNamed<Field>(suffix)) modifiers.*kField = *value;
}

void ApplyType(std::string_view suffix, Modifiers& modifiers) {
  Type& field = modifiers.type == Type::kNone ? modifiers.type : modifiers.source_type;
  field = TypeNamed(suffix).value();
}

// Sets the field that the suffix's own name implies.
void ApplyAuto(std::string_view suffix, Modifiers& modifiers) {
  for (const auto& [text, field] : kFlags) {
    if (text == suffix) modifiers.*field = true;
  }
  if (suffix == "v2" || suffix == "x2") modifiers.vector = 2;
  if (suffix == "v4" || suffix == "x4") modifiers.vector = 4;
  if (suffix == "v8") modifiers.vector = 8;
  ApplyNamed<&Modifiers::rounding>(suffix, modifiers);
  ApplyNamed<&Modifiers::space>(suffix, modifiers);
}

constexpr std::pair<std::string_view, decltype(SuffixElement::apply)> kFields[] = {
    {"part:", ApplyNamed<&Modifiers::part>},    {"cmp:", ApplyNamed<&Modifiers::compare>},
    {"bool:", ApplyNamed<&Modifiers::bool_op>}, {"atom:", ApplyNamed<&Modifiers::atomic>},
    {"shfl:", ApplyNamed<&Modifiers::shuffle>}, {"vote:", ApplyNamed<&Modifiers::vote>},
    {"to:", ApplyNamed<&Modifiers::to_space>},
};

// These functions read the rows. They run in the compiler, where a throw is an error that shows its
// text.

// A range of a list, by indices.
struct Range {
  std::size_t begin = 0, count = 0;
};

// A row as lists that refer to each other by ranges: forms to elements and slots, elements to
// choices.
struct ElementRow {
  decltype(SuffixElement::apply) apply = nullptr;
  bool optional = false;
  bool is_type = false;
  Range choices;
};
struct FormRow {
  Range elements, slots;
};
struct Lists {
  std::vector<std::string_view> choices;
  std::vector<ElementRow> elements;
  std::vector<OperandSlot> slots;
  std::vector<FormRow> forms;
};

constexpr std::string_view WithoutBlanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

constexpr std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(WithoutBlanks(text.substr(0, at)));
    if (at == text.npos) return parts;
    text.remove_prefix(at + 1);
  }
}

constexpr std::string_view SetNamed(std::string_view name) {
  for (const auto& [set, members] : kSets) {
    if (set == name) return members;
  }
  throw "opcodes.def names a set of suffixes that does not exist";
}

// Removes a '?' from the end of an element, and returns whether there was one.
constexpr bool TakeOptional(std::string_view& text) {
  const bool optional = text.ends_with('?');
  if (optional) text.remove_suffix(1);
  return optional;
}

// Removes "field:" from the front of an element. "::" belongs to a suffix.
constexpr decltype(SuffixElement::apply) TakeField(std::string_view& text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos || text.substr(colon).starts_with("::")) return ApplyAuto;
  for (const auto& [prefix, apply] : kFields) {
    if (!text.starts_with(prefix)) continue;
    text.remove_prefix(prefix.size());
    return apply;
  }
  throw "opcodes.def names a field of Modifiers that does not exist";
}

constexpr void ReadChoices(std::string_view text, std::vector<std::string_view>& choices) {
  for (const std::string_view choice : Split(text, '|')) {
    if (choice.empty()) throw "a choice of opcodes.def is empty";
    if (choice.starts_with('$')) {
      ReadChoices(SetNamed(choice.substr(1)), choices);
    } else {
      choices.push_back(choice);
    }
  }
}

constexpr void ReadElement(std::string_view text, Lists& lists) {
  ElementRow element;
  element.optional = TakeOptional(text);
  element.apply = TakeField(text);
  element.choices.begin = lists.choices.size();
  ReadChoices(text, lists.choices);
  element.choices.count = lists.choices.size() - element.choices.begin;
  element.is_type = TypeNamed(lists.choices[element.choices.begin]).has_value();
  if (element.is_type) element.apply = ApplyType;
  lists.elements.push_back(element);
}

constexpr void ReadSlotType(std::string_view text, OperandSlot& slot) {
  if (slot.role == 'n' || slot.role == 'c' || text == ":p") {
    slot.type_code = '=';
    slot.type = Type::kPred;
  } else if (text == ":t" || text == ":s" || text == ":w") {
    slot.type_code = text[1];
  } else if (!text.empty()) {
    const auto type = text.starts_with(':') ? TypeNamed(text.substr(1)) : std::nullopt;
    if (!type) throw "opcodes.def gives an operand a type that does not exist";
    slot.type_code = '=';
    slot.type = *type;
  }
}

constexpr void ReadSlot(std::string_view text, Lists& lists) {
  constexpr std::string_view kRoles = "dDaAmnislTcrxvVFtg";
  OperandSlot slot;
  slot.optional = TakeOptional(text);
  if (text.empty() || kRoles.find(text[0]) == kRoles.npos) {
    throw "opcodes.def gives an operand a role that does not exist";
  }
  slot.role = text[0];
  text.remove_prefix(1);
  if (text.starts_with("|q")) {
    if (slot.role != 'd' && slot.role != 'D') throw "in opcodes.def only d and D take a |q";
    slot.second = true;
    text.remove_prefix(2);
  }
  ReadSlotType(text, slot);
  lists.slots.push_back(slot);
}

constexpr void ReadForm(std::string_view suffixes, std::string_view operands, Lists& lists) {
  FormRow form;
  form.elements.begin = lists.elements.size();
  for (const std::string_view element : Split(suffixes, ' ')) {
    if (!element.empty()) ReadElement(element, lists);
  }
  form.elements.count = lists.elements.size() - form.elements.begin;
  form.slots.begin = lists.slots.size();
  for (const std::string_view slot : Split(operands, ' ')) {
    if (!slot.empty()) ReadSlot(slot, lists);
  }
  form.slots.count = lists.slots.size() - form.slots.begin;
  lists.forms.push_back(form);
}

constexpr Lists ReadRow(const RowText& text) {
  Lists lists;
  if (text.suffixes == "...") return lists;
  const bool by_parser = text.operands == "mov" || text.operands == "call";
  const auto suffixes = Split(text.suffixes, ';');
  const auto operands = Split(by_parser ? "" : text.operands, ';');
  if (operands.size() != 1 && operands.size() != suffixes.size()) {
    throw "a row of opcodes.def has neither one operand pattern nor one for each suffix form";
  }
  for (std::size_t i = 0; i < suffixes.size(); ++i) {
    ReadForm(suffixes[i], operands[operands.size() == 1 ? 0 : i], lists);
  }
  return lists;
}

// The lists of a row as arrays, because a constant cannot contain a vector. Each row is a constant
// of its own, because compilers limit the steps for one constant.
struct Sizes {
  std::size_t choices = 0, elements = 0, slots = 0, forms = 0;
};

template <Sizes kSizes>
struct Arrays {
  std::array<std::string_view, kSizes.choices> choices = {};
  std::array<ElementRow, kSizes.elements> elements = {};
  std::array<OperandSlot, kSizes.slots> slots = {};
  std::array<FormRow, kSizes.forms> forms = {};
};

template <class T, std::size_t kSize>
constexpr std::span<const T> Part(const std::array<T, kSize>& list, const Range& range) {
  return std::span<const T>(list).subspan(range.begin, range.count);
}

template <std::size_t kIndex>
struct ReadyRow {
  static constexpr RowText kText = kTexts[kIndex];
  static constexpr Sizes kSizes = [] {
    const Lists lists = ReadRow(kText);
    return Sizes{lists.choices.size(), lists.elements.size(), lists.slots.size(),
                 lists.forms.size()};
  }();
  static constexpr Arrays<kSizes> kArrays = [] {
    const Lists lists = ReadRow(kText);
    Arrays<kSizes> arrays;
    std::ranges::copy(lists.choices, arrays.choices.begin());
    std::ranges::copy(lists.elements, arrays.elements.begin());
    std::ranges::copy(lists.slots, arrays.slots.begin());
    std::ranges::copy(lists.forms, arrays.forms.begin());
    return arrays;
  }();
  static constexpr auto kElements = [] {
    std::array<SuffixElement, kSizes.elements> elements = {};
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const ElementRow& row = kArrays.elements[i];
      elements[i] = {row.apply, row.optional, row.is_type, Part(kArrays.choices, row.choices)};
    }
    return elements;
  }();
  static constexpr auto kForms = [] {
    std::array<OpcodeForm, kSizes.forms> forms = {};
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const FormRow& row = kArrays.forms[i];
      forms[i] = {Part(kElements, row.elements), Part(kArrays.slots, row.slots)};
    }
    return forms;
  }();
  static constexpr OpcodeRow kRow = {kText.mnemonic, kText.executed, kText.suffixes == "...",
                                     kText.operands, kForms};
};

// The rows have the order of Opcode.
constexpr std::array<OpcodeRow, kOpcodeCount> kRows =
    []<std::size_t... kIndices>(std::index_sequence<kIndices...>) {
  return std::array{ReadyRow<kIndices>::kRow...};
}
(std::make_index_sequence<kOpcodeCount>());

// These functions match the suffixes of an instruction with the forms of its row.

bool Accepts(const SuffixElement& element, std::string_view text) {
  return std::find(element.choices.begin(), element.choices.end(), text) != element.choices.end();
}

// Returns the index of the element of `form` that accepts the suffix, or the number of elements if
// no element accepts it. A type goes to the first type element that is left; any other suffix goes
// to the first element that fits.
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
    form.suffixes[at].apply(suffix, modifiers);
  }
  for (std::size_t i = 0; i < form.suffixes.size(); ++i) {
    if (!form.suffixes[i].optional && (used >> i & 1) == 0) return false;
  }
  return true;
}

}  // namespace

const OpcodeRow& RowOf(Opcode opcode) { return kRows[static_cast<std::size_t>(opcode)]; }

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
