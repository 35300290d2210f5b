#include "ptx/parser/module_builder.h"

#include <fmt/format.h>

#include "base/text.h"
#include "ptx/limits.h"

namespace warpcheck::ptx {

void ModuleBuilder::Hold(std::uint64_t bytes) {
  module_.held_bytes += bytes;
  if (module_.held_bytes <= most_held_bytes_ || failed()) return;
  std::size_t instructions = 0;
  for (const Function& function : module_.functions) instructions += function.body.size();
  FailForGood(
      token_,
      fmt::format("this module would take more than {} MiB of the grader's memory: so far "
                  "it has {}, {}, {}, {}, and {} of source code",
                  most_held_bytes_ >> 20, Counted(module_.functions.size(), "function"),
                  Counted(instructions, "instruction"), Counted(register_count_, "register"),
                  Counted(module_.symbols.size(), "symbol"),
                  Counted(module_.locations.size(), "place")));
}

void ModuleBuilder::Declare(std::string_view name, const Token& at, const Entity& entity) {
  if (!scopes_.Declare(name, entity)) Fail(at, fmt::format("'{}' is already declared", name));
}

void ModuleBuilder::FileDirective() {
  const Token index = token_;
  if (index.kind != TokenKind::kInteger || index.bits >= limits::kFiles) {
    return Unexpected(index, "a file number");
  }
  Advance();
  if (token_.kind != TokenKind::kString) return Unexpected(token_, "a file name");
  if (token_.text.size() > limits::kPathBytes) {
    return Fail(token_, fmt::format("the name of file {} has {} bytes, and the limit is {}",
                                    index.bits, token_.text.size(), limits::kPathBytes));
  }
  Hold(token_.text.size());
  if (module_.files.size() <= index.bits) module_.files.resize(index.bits + 1);
  if (files_declared_.size() <= index.bits) files_declared_.resize(index.bits + 1);
  module_.files[index.bits] = token_.text;
  files_declared_[index.bits] = true;
  Advance();
  while (Take(',')) Constant();
}

Signature ModuleBuilder::SignatureOf(const Function& function) const {
  const auto items = [&](const std::vector<SymbolId>& symbols) {
    std::vector<Signature::Item> list;
    for (const SymbolId id : symbols) {
      list.push_back({module_.symbols[id].bytes, module_.symbols[id].align});
    }
    return list;
  };
  return {items(function.returns), items(function.parameters)};
}

Operand& ModuleBuilder::At(const OperandPlace& place) {
  Operand& operand =
      module_.functions[place.function].body[place.instruction].operands[place.operand];
  return place.in_vector ? operand.elements[place.element] : operand;
}

}  // namespace warpcheck::ptx
