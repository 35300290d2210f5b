// Branches and calls: labels, targets, arguments (PTX ISA, section 9.7.12).
#include <fmt/format.h>

#include "ptx/limits.h"
#include "ptx/parser_impl.h"

namespace warpcheck::ptx {

void Parser::UseLabel(const WrittenOperand& written, OperandPlace place) {
  if (written.name.empty() || written.operand.kind != OperandKind::kNone) {
    return Fail(written.token, fmt::format("expected a label, got {}", Shown(written.token)));
  }
  Hold(2 * sizeof(LabelUse));
  label_uses_.back().push_back({place, written.token, written.name});
}

void Parser::BranchTargets(Instruction& instruction, const WrittenOperand& written) {
  const Entity* entity = scopes_.Find(written.name);
  if (entity == nullptr || entity->kind != EntityKind::kTargets) {
    return Fail(written.token,
                fmt::format("expected the name of a .branchtargets, got {}", Shown(written.token)));
  }
  const auto& names = branch_targets_[entity->id];
  if ((target_count_ += names.size()) > limits::kBranchTargets) {
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

// "(a, b)": returns, which are written to, or arguments.
Operand Parser::CallList(bool returns) {
  Operand list;
  list.kind = OperandKind::kVector;
  Expect('(');
  while (!failed() && !token_.Is(')')) {
    WrittenOperand one = ReadOperand(limits::kNesting);
    if (failed()) break;
    const OperandKind kind = one.operand.kind;
    if (kind == OperandKind::kNone) {
      NotDeclared(one);
    } else if (kind == OperandKind::kSymbol) {
      if (one.operand.offset != 0 || module_.symbols[one.operand.symbol].space != Space::kParam) {
        Fail(one.token, fmt::format("'{}' is not a .param variable", one.name));
      }
    } else if (kind != OperandKind::kRegister && (kind != OperandKind::kImmediate || returns)) {
      Fail(one.token, fmt::format("{} cannot be passed", Shown(one.token)));
    }
    Hold(2 * sizeof(Operand));
    if (failed()) break;
    list.elements.push_back(std::move(one.operand));
    if (!Take(',')) break;
  }
  Expect(')');
  return list;
}

void Parser::CallInstruction(Instruction& instruction, const Token& token) {
  Operand returns;
  returns.kind = OperandKind::kVector;
  Operand arguments = returns;
  if (token_.Is('(')) {
    returns = CallList(true);
    Expect(',');
  }
  WrittenOperand callee = ReadOperand(limits::kNesting);
  const bool indirect = callee.operand.kind == OperandKind::kRegister;
  std::optional<std::uint32_t> signature;
  if (token_.Is(',')) {
    Advance();
    const bool some = token_.Is('(');
    if (some) arguments = CallList(false);
    if (indirect && (!some || Take(','))) {
      const Token at = token_;
      const Entity* entity = scopes_.Find(Name("a prototype"));
      if (entity == nullptr || entity->kind != EntityKind::kPrototype) {
        return Fail(at, fmt::format("{} is not a .callprototype or .calltargets", Shown(at)));
      }
      signature = entity->id;
    } else if (!some) {
      Fail(token_, fmt::format("expected '(', got {}", Shown(token_)));
    }
  }
  Expect(';');
  if (failed()) return;
  OperandPlace place = PlaceOf(instruction);
  place.operand = 1;
  if (indirect) {
    CheckRegister(callee, Type::kB64, false);
    if (!signature) return Fail(token, "an indirect call needs a prototype");
  } else if (callee.operand.kind == OperandKind::kNone && !callee.name.empty()) {
    pending_symbols_.push_back({place, callee.token, callee.name});
  } else if (callee.operand.kind != OperandKind::kFunction) {
    return Fail(callee.token, fmt::format("{} is not a function", Shown(callee.token)));
  }
  Hold(2 * (sizeof(CallCheck) + sizeof(LabelUse)));
  calls_.push_back({place, token, signature});
  instruction.operands.push_back(std::move(returns));
  instruction.operands.push_back(std::move(callee.operand));
  instruction.operands.push_back(std::move(arguments));
}

}  // namespace warpcheck::ptx
