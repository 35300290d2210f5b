// The opcodes: one row each in opcodes.def, from which the enum, the parser's grammar of suffixes
// and operands, the verifier and the list of what is supported all come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpcheck::ptx {

// By the PTX mnemonic without its suffixes: add, ld, setp, ... kMad for mad.lo.s32.
enum class Opcode : std::uint16_t {
#define OPCODE(name, ...) k##name,
#include "ptx/opcodes.def"
#undef OPCODE
};

inline constexpr std::size_t kOpcodeCount = 0
#define OPCODE(name, ...) +1
#include "ptx/opcodes.def"
#undef OPCODE
    ;

std::string_view Text(Opcode opcode);  // "mad"
std::optional<Opcode> OpcodeNamed(std::string_view mnemonic);

// False for the PARSED_OPCODE rows: accepted in a module, but no device executes them.
bool IsExecuted(Opcode opcode);

}  // namespace warpcheck::ptx
