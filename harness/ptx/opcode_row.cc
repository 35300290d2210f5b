#include "ptx/opcode_row.h"

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "base/check.h"

namespace warpcheck::ptx {
namespace {

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
    {"v", "u32|s32"},
    {"vop", "add|min|max"},
    {"texture", "1d|2d|3d|a1d|a2d|cube|acube|2dms|a2dms"},
    {"surface", "1d|2d|3d|a1d|a2d"},
    {"surfacecop", "ca|cg|cs|cv|wb|wt"},
    {"query", "width|height|depth|array_size"},
    {"l2evict", "L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged"},
};

// What suffixes say: how each kind goes to its fields of Modifiers.

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

// A suffix to the field whose values have names like it: of "shared::cta" the space alone.
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

// The field that the suffix itself names.
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

// The rows, read.

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    std::string_view part = text.substr(0, at);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    parts.push_back(part);
    if (at == text.npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string_view SetNamed(std::string_view name) {
  for (const auto& [set, members] : kSets) {
    if (set == name) return members;
  }
  CheckFailed(__FILE__, __LINE__, "opcodes.def", name);
}

SuffixElement ReadElement(std::string_view text) {
  SuffixElement element;
  if (text.ends_with('?')) {
    element.optional = true;
    text.remove_suffix(1);
  }
  element.apply = ApplyAuto;
  for (const auto& [prefix, apply] : kFields) {
    if (!text.starts_with(prefix)) continue;
    element.apply = apply;
    text.remove_prefix(prefix.size());
  }
  for (std::string_view choice : Split(text, '|')) {
    if (!choice.starts_with('$')) {
      element.choices.push_back(choice);
      continue;
    }
    const auto members = Split(SetNamed(choice.substr(1)), '|');
    element.choices.insert(element.choices.end(), members.begin(), members.end());
  }
  element.is_type = TypeNamed(element.choices.front()).has_value();
  if (element.is_type) element.apply = ApplyType;
  return element;
}

OperandSlot ReadSlot(std::string_view text) {
  OperandSlot slot;
  if (text.ends_with('?')) {
    slot.optional = true;
    text.remove_suffix(1);
  }
  slot.role = text[0];
  text.remove_prefix(1);
  if (text.starts_with("|q")) {
    slot.second = true;
    text.remove_prefix(2);
  }
  if (slot.role == 'n' || slot.role == 'c' || text == ":p") {
    slot.type_code = '=';
    slot.type = Type::kPred;
  } else if (text.size() == 2) {
    slot.type_code = text[1];
  } else if (!text.empty()) {
    slot.type_code = '=';
    slot.type = TypeNamed(text.substr(1)).value();
  }
  return slot;
}

OpcodeRow ReadRow(const RowText& text) {
  OpcodeRow row;
  row.mnemonic = text.mnemonic;
  row.executed = text.executed;
  row.any_suffixes = text.suffixes == "...";
  row.pattern = text.operands;
  if (row.any_suffixes) return row;
  const auto patterns = Split(text.operands, ';');
  const auto forms = Split(text.suffixes, ';');
  const bool special = text.operands == "mov" || text.operands == "call";
  WARPCHECK_CHECK(patterns.size() == 1 || patterns.size() == forms.size(), text.mnemonic);
  for (std::size_t i = 0; i < forms.size(); ++i) {
    OpcodeForm form;
    for (std::string_view element : Split(forms[i], ' ')) {
      if (!element.empty()) form.suffixes.push_back(ReadElement(element));
    }
    for (std::string_view slot : Split(patterns[patterns.size() == 1 ? 0 : i], ' ')) {
      if (!slot.empty() && !special) form.operands.push_back(ReadSlot(slot));
    }
    row.forms.push_back(std::move(form));
  }
  return row;
}

// Suffixes of an instruction against the forms of its row.

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
    form.suffixes[at].apply(suffix, modifiers);
  }
  for (std::size_t i = 0; i < form.suffixes.size(); ++i) {
    if (!form.suffixes[i].optional && (used >> i & 1) == 0) return false;
  }
  return true;
}

}  // namespace

const OpcodeRow& RowOf(Opcode opcode) {
  static const std::vector<OpcodeRow> kRows = [] {
    std::vector<OpcodeRow> rows;
    for (const RowText& text : kTexts) rows.push_back(ReadRow(text));
    return rows;
  }();
  return kRows[static_cast<std::size_t>(opcode)];
}

std::string_view Text(Opcode opcode) { return kTexts[static_cast<std::size_t>(opcode)].mnemonic; }

bool IsExecuted(Opcode opcode) { return kTexts[static_cast<std::size_t>(opcode)].executed; }

std::optional<Opcode> OpcodeNamed(std::string_view mnemonic) {
  static const std::unordered_map<std::string_view, Opcode> kByName = [] {
    std::unordered_map<std::string_view, Opcode> names;
    for (std::size_t i = 0; i < kTexts.size(); ++i) {
      names.emplace(kTexts[i].mnemonic, static_cast<Opcode>(i));
    }
    return names;
  }();
  const auto found = kByName.find(mnemonic);
  if (found == kByName.end()) return std::nullopt;
  return found->second;
}

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
