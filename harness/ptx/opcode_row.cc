#include "ptx/opcode_row.h"

#include <array>
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

constexpr std::pair<std::string_view, SuffixField> kFields[] = {
    {"part:", SuffixField::kPart},    {"cmp:", SuffixField::kCompare},
    {"bool:", SuffixField::kBool},    {"atom:", SuffixField::kAtomic},
    {"shfl:", SuffixField::kShuffle}, {"vote:", SuffixField::kVote},
    {"to:", SuffixField::kToSpace},
};

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
  for (const auto& [prefix, field] : kFields) {
    if (!text.starts_with(prefix)) continue;
    element.field = field;
    text.remove_prefix(prefix.size());
  }
  for (std::string_view choice : Split(text, '|')) {
    if (!choice.starts_with('$')) {
      element.choices.push_back(choice);
      continue;
    }
    for (std::string_view member : Split(SetNamed(choice.substr(1)), '|')) {
      element.choices.push_back(member);
    }
  }
  element.is_type = TypeNamed(element.choices.front()).has_value();
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

}  // namespace warpcheck::ptx
