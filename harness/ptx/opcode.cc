#include "ptx/opcode.h"

#include <unordered_map>

namespace warpcheck::ptx {
namespace {

struct MnemonicRow {
  std::string_view mnemonic;
  bool is_executed;
};

// The names have the order of Opcode.
constexpr MnemonicRow kMnemonics[] = {
#define OPCODE(name, mnemonic, ...) {mnemonic, true},
#define PARSED_OPCODE(name, mnemonic, ...) {mnemonic, false},
#include "ptx/opcodes.def"
#undef OPCODE
};

}  // namespace

std::string_view Text(Opcode opcode) {
  return kMnemonics[static_cast<std::size_t>(opcode)].mnemonic;
}

bool IsExecuted(Opcode opcode) { return kMnemonics[static_cast<std::size_t>(opcode)].is_executed; }

std::optional<Opcode> OpcodeNamed(std::string_view mnemonic) {
  static const std::unordered_map<std::string_view, Opcode> kByName = [] {
    std::unordered_map<std::string_view, Opcode> names;
    for (std::size_t i = 0; i < kOpcodeCount; ++i) {
      names.emplace(kMnemonics[i].mnemonic, static_cast<Opcode>(i));
    }
    return names;
  }();
  const auto found = kByName.find(mnemonic);
  if (found == kByName.end()) return std::nullopt;
  return found->second;
}

}  // namespace warpcheck::ptx
