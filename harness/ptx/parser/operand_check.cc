#include "ptx/parser/operand_check.h"

#include <fmt/format.h>

#include "base/text.h"
#include "ptx/limits.h"
#include "ptx/shapes.h"

namespace warpcheck::ptx {
namespace {

// Returns the integer type of twice the width. It is the next one in the list of types.
Type TwiceAsWide(Type type) { return static_cast<Type>(static_cast<int>(type) + 1); }

// Returns the untyped type with this number of bytes, or kNone if there is no such type.
Type BitsOf(std::size_t bytes) {
  for (const Type type : {Type::kB8, Type::kB16, Type::kB32, Type::kB64}) {
    if (Bytes(type) == bytes) return type;
  }
  return Type::kNone;
}

Type SlotType(const OperandSlot& slot, const Modifiers& modifiers) {
  switch (slot.type_code) {
    case 's':
      return modifiers.source_type;
    case 'w':
      return modifiers.part == MulPart::kWide ? TwiceAsWide(modifiers.type) : modifiers.type;
    case '=':
      return slot.type;
    default:
      return modifiers.type;
  }
}

// Returns true for loads, stores and conversions, whose registers may be wider than their type.
bool MayBeWider(Opcode opcode) {
  return opcode == Opcode::kLd || opcode == Opcode::kLdu || opcode == Opcode::kSt ||
         opcode == Opcode::kCvt;
}

// Returns the space of the next address. Copies have two addresses, and some have a barrier's
// address too.
Space AddressSpaceOf(const Instruction& instruction) {
  const bool copies =
      instruction.opcode == Opcode::kCpAsync || instruction.opcode == Opcode::kCpAsyncBulk;
  if (!copies || instruction.operands.empty()) return instruction.modifiers.space;
  return instruction.operands.size() == 1 ? instruction.modifiers.to_space : Space::kShared;
}

// Returns true if the instruction writes the operand of the slot, which was just checked. A matrix
// fragment is written if it is the first operand.
bool IsDestination(const OperandSlot& slot, const Instruction& instruction) {
  if (slot.role == 'F') return instruction.operands.size() == 1;
  return slot.role == 'd' || slot.role == 'D' || slot.role == 'x';
}

bool Required(const OperandSlot& slot, const Modifiers& modifiers) {
  return slot.role == 'c' ? modifiers.bool_op != BoolOp::kNone : !slot.optional;
}

}  // namespace

void OperandCheck::CheckOperands(const ReadOpcode& read, std::vector<WrittenOperand>& written,
                                 Instruction& instruction, const Token& token) {
  if (RowOf(read.opcode).pattern == "mov") return CheckMove(written, instruction, token);
  const auto& slots = read.form->operands;
  std::size_t required = 0;
  std::size_t most = 0;
  for (const OperandSlot& slot : slots) {
    if (Required(slot, read.modifiers)) ++required;
    if (slot.role != 'c' || Required(slot, read.modifiers)) ++most;
  }
  if (written.size() < required || written.size() > most) {
    const std::string wanted =
        required == most ? fmt::format("{}", most) : fmt::format("{} to {}", required, most);
    return Fail(token, fmt::format("'{}' takes {} operand{}, got {}", Text(read.opcode), wanted,
                                   wanted == "1" ? "" : "s", written.size()));
  }
  std::size_t spare = written.size() - required;
  std::size_t next = 0;
  instruction.operands.reserve(written.size());
  for (const OperandSlot& slot : slots) {
    if (!Required(slot, read.modifiers)) {
      if (slot.role == 'c' || next == written.size()) continue;
      if (spare == 0) {
        instruction.operands.emplace_back();
        continue;
      }
      --spare;
    }
    const bool first_ones = instruction.destinations == instruction.operands.size();
    CheckSlot(slot, written[next++], instruction);
    if (failed()) return;
    if (first_ones && IsDestination(slot, instruction)) {
      instruction.destinations = static_cast<std::uint8_t>(instruction.operands.size());
    }
  }
}

// Adds the predicate after the "|" of a destination, or a sink if there is no predicate.
void OperandCheck::PushSecond(WrittenOperand& written, Instruction& instruction) {
  if (failed()) return;
  if (written.second.empty()) {
    instruction.operands.emplace_back().kind = OperandKind::kSink;
  } else {
    instruction.operands.push_back(CheckDestination(written.second[0], Type::kPred, false, true));
  }
}

void OperandCheck::CheckSlot(const OperandSlot& slot, WrittenOperand& written,
                             Instruction& instruction) {
  const Type type = SlotType(slot, instruction.modifiers);
  const bool wide = MayBeWider(instruction.opcode);
  const OperandKind kind = written.operand.kind;
  auto& operands = instruction.operands;
  if (!written.second.empty() && !slot.second) {
    return Fail(written.token, fmt::format("'{}' gives one result", Text(instruction.opcode)));
  }
  if (!written.coordinates.empty() && slot.role != 't') {
    return Fail(written.coordinates[0].token,
                fmt::format("'{}' takes an address without coordinates", Text(instruction.opcode)));
  }
  if (slot.role == 'd' || slot.role == 'x') {
    operands.push_back(CheckDestination(written, type, wide, slot.role == 'x' || slot.second));
    if (slot.second) PushSecond(written, instruction);
  } else if (slot.role == 'D' || slot.role == 'A') {
    operands.push_back(CheckVector(slot.role == 'D', written, instruction));
    if (slot.second) PushSecond(written, instruction);
  } else if (slot.role == 't') {
    operands.push_back(CheckTexture(written, instruction));
  } else if (slot.role == 'g') {
    operands.push_back(CheckGradient(written));
  } else if (slot.role == 'F') {
    operands.push_back(CheckFragment(written, instruction));
  } else if (slot.role == 'm') {
    operands.push_back(CheckAddress(written, instruction, AddressSpaceOf(instruction)));
  } else if (slot.role == 'i') {
    if (kind != OperandKind::kImmediate) return Unexpected(written.token, "a constant");
    operands.push_back(CheckImmediate(written, type));
  } else if (slot.role == 'l') {
    UseLabel(written, PlaceOf(instruction));
    operands.push_back(std::move(written.operand));
  } else if (slot.role == 'T') {
    BranchTargets(instruction, written);
  } else if (slot.role == 's' && (kind == OperandKind::kSymbol || kind == OperandKind::kNone)) {
    operands.push_back(CheckSymbol(written, type, PlaceOf(instruction)));
  } else if (slot.role == 'r' && kind == OperandKind::kSpecial) {
    operands.push_back(CheckSpecial(written, type, wide));
  } else {
    operands.push_back(CheckSource(written, type, wide, type == Type::kPred));
  }
}

void OperandCheck::UseLabel(const WrittenOperand& written, OperandPlace place) {
  if (written.name.empty() || written.operand.kind != OperandKind::kNone) {
    return Unexpected(written.token, "a label");
  }
  Hold(2 * sizeof(LabelUse));
  label_uses_.back().push_back({place, written.token, written.name});
}

void OperandCheck::BranchTargets(Instruction& instruction, const WrittenOperand& written) {
  const Entity entity = scopes_.Find(written.name);
  if (entity.kind != EntityKind::kTargets) {
    return Unexpected(written.token, "the name of a .branchtargets");
  }
  const auto& names = branch_targets_[entity.id];
  target_count_ += names.size();
  if (target_count_ > limits::kBranchTargets) {
    return Fail(written.token, fmt::format("more than {} branch targets", limits::kBranchTargets));
  }
  OperandPlace place = PlaceOf(instruction);
  place.in_vector = true;
  Operand targets;
  targets.kind = OperandKind::kVector;
  Hold(names.size() * (sizeof(Operand) + sizeof(LabelUse)));
  if (failed()) return;
  targets.elements.resize(names.size());
  for (const LabelUse& name : names) {
    label_uses_.back().push_back({place, name.token, name.name});
    ++place.element;
  }
  instruction.operands.push_back(std::move(targets));
}

Operand OperandCheck::CheckPack(WrittenOperand& written, Type type, bool destination) {
  const std::size_t count = written.elements.size();
  const Type element = count == 0 ? Type::kNone : BitsOf(Bytes(type) / count);
  if (count < 2 || IsFloat(type) || type == Type::kPred || element == Type::kNone ||
      Bytes(element) * count != Bytes(type)) {
    Fail(written.token, fmt::format("{} elements do not make a .{}", count, Text(type)));
    return {};
  }
  return CheckElements(written, [&](WrittenOperand& one) {
    return destination ? CheckDestination(one, element, false, true)
                       : CheckSource(one, element, false, false);
  });
}

void OperandCheck::CheckMove(std::vector<WrittenOperand>& written, Instruction& instruction,
                             const Token& token) {
  if (written.size() != 2) {
    return Fail(token, fmt::format("'mov' takes 2 operands, got {}", written.size()));
  }
  const Type type = instruction.modifiers.type;
  WrittenOperand& to = written[0];
  WrittenOperand& from = written[1];
  if (!to.second.empty() || !from.second.empty()) return Fail(token, "'mov' gives one result");
  const bool unpack = to.operand.kind == OperandKind::kVector;
  auto& operands = instruction.operands;
  operands.reserve(2);
  operands.push_back(unpack ? CheckPack(to, type, true) : CheckDestination(to, type, false, false));
  if (failed()) return;
  instruction.destinations = 1;
  switch (from.operand.kind) {
    case OperandKind::kVector:
      if (unpack) return Fail(from.token, "'mov' takes one vector");
      operands.push_back(CheckPack(from, type, false));
      break;
    case OperandKind::kSpecial:
      operands.push_back(CheckSpecial(from, type, false));
      break;
    case OperandKind::kSymbol:
    case OperandKind::kFunction:
    case OperandKind::kNone:
      operands.push_back(CheckSymbol(from, type, PlaceOf(instruction)));
      break;
    default:
      operands.push_back(CheckSource(from, type, false, type == Type::kPred));
  }
}

// Checks "[a, {x, y}]" (PTX ISA, "Texture Instructions" and "Surface Instructions"). The result is
// an address whose elements are the coordinates; the layer is the first.
Operand OperandCheck::CheckTexture(WrittenOperand& written, const Instruction& instruction) {
  Operand operand = CheckAddress(written, instruction, Space::kGeneric);
  if (failed()) return operand;
  if (written.coordinates.empty()) {
    Unexpected(written.token, "an object and coordinates in [ ]");
    return operand;
  }
  const TextureGeometry geometry = GeometryOf(instruction.modifiers);
  const Type type =
      instruction.opcode == Opcode::kTex ? instruction.modifiers.source_type : Type::kB32;
  WrittenOperand& list = written.coordinates[0];
  const bool braces = list.operand.kind == OperandKind::kVector;
  const std::size_t count = braces ? list.elements.size() : 1;
  if (count != geometry.Elements()) {
    Fail(list.token, fmt::format("expected {} in {{ }}, got {}",
                                 Counted(geometry.Elements(), "coordinate"), count));
    return operand;
  }
  for (std::size_t i = 0; i < count && !failed(); ++i) {
    WrittenOperand& one = braces ? list.elements[i] : list;
    const bool is_layer = geometry.layered && i == 0;
    operand.elements.push_back(CheckSource(one, is_layer ? Type::kU32 : type, false, false));
  }
  return operand;
}

Operand OperandCheck::CheckGradient(WrittenOperand& written) {
  const auto check = [&](WrittenOperand& one) {
    return CheckSource(one, Type::kF32, false, false);
  };
  const bool braces = written.operand.kind == OperandKind::kVector;
  return braces ? CheckElements(written, check) : check(written);
}

}  // namespace warpcheck::ptx
