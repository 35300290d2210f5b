// What can be verified only when the whole module is known: names declared late, and calls.
#include <fmt/format.h>

#include "ptx/parser_impl.h"

namespace warpcheck::ptx {

void Parser::ResolvePending() {
  for (const LabelUse& use : pending_symbols_) {
    const Entity* entity = scopes_.FindAtModule(use.name);
    Operand& operand = At(use.place);
    const Instruction& instruction =
        module_.functions[use.place.function].body[use.place.instruction];
    const bool address = operand.kind == OperandKind::kAddress;
    if (entity != nullptr && entity->kind == EntityKind::kSymbol &&
        instruction.opcode != Opcode::kCall) {
      operand.symbol = entity->id;
      if (!address) operand.kind = OperandKind::kSymbol;
      const Space space = module_.symbols[entity->id].space;
      if (address && space != instruction.modifiers.space) {
        return Fail(use.token, fmt::format("'{}' is a .{} variable", use.name, Text(space)));
      }
    } else if (entity != nullptr && entity->kind == EntityKind::kFunction && !address &&
               operand.offset == 0) {
      operand.kind = OperandKind::kFunction;
      operand.function = entity->id;
    } else {
      return Fail(use.token, fmt::format("'{}' is not declared", use.name));
    }
  }
  for (const PendingRelocation& pending : pending_relocations_) {
    const Entity* entity = scopes_.FindAtModule(pending.token.text);
    Symbol::Relocation& relocation =
        module_.symbols[pending.symbol].relocations[pending.relocation];
    if (entity != nullptr && entity->kind == EntityKind::kSymbol) {
      relocation.symbol = entity->id;
    } else if (entity != nullptr && entity->kind == EntityKind::kFunction) {
      relocation.function = entity->id;
    } else {
      return Fail(pending.token, fmt::format("'{}' is not declared", pending.token.text));
    }
  }
}

void Parser::VerifyCalls() {
  for (const CallCheck& call : calls_) {
    if (failed()) return;
    const Instruction& instruction =
        module_.functions[call.place.function].body[call.place.instruction];
    const Operand& callee = instruction.operands[1];
    if (call.signature) {
      VerifyList(call, instruction.operands[0], signatures_[*call.signature].returns, "returns");
      VerifyList(call, instruction.operands[2], signatures_[*call.signature].parameters,
                 "parameters");
      continue;
    }
    const Function& function = module_.functions[callee.function];
    if (function.is_entry) {
      return Fail(call.token, fmt::format("'{}' is a kernel: it cannot be called", function.name));
    }
    const Signature signature = SignatureOf(function);
    VerifyList(call, instruction.operands[0], signature.returns, "returns");
    VerifyList(call, instruction.operands[2], signature.parameters, "parameters");
  }
}

void Parser::VerifyList(const CallCheck& call, const Operand& passed,
                        const std::vector<Signature::Item>& items, std::string_view what) {
  if (passed.elements.size() != items.size()) {
    return Fail(call.token, fmt::format("the function has {} {}, the call has {}", items.size(),
                                        what, passed.elements.size()));
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Operand& one = passed.elements[i];
    std::uint64_t bytes = items[i].bytes;
    if (one.kind == OperandKind::kSymbol) bytes = module_.symbols[one.symbol].bytes;
    if (one.kind == OperandKind::kRegister) {
      bytes = Bytes(module_.functions[call.place.function].registers[one.reg].type);
    }
    if (bytes == items[i].bytes) continue;
    return Fail(call.token, fmt::format("number {} of the {} has {} bytes, the call's has {}",
                                        i + 1, what, items[i].bytes, bytes));
  }
}

}  // namespace warpcheck::ptx
