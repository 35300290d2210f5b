// This file lists the opcodes of PTX. Each is one row of opcodes.def. From these rows come this
// enumeration, the parser's grammar of suffixes and operands, the verifier, and the list of what is
// supported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpcheck::ptx {

// An opcode has the name of the PTX mnemonic without its suffixes: mad.lo.s32 is kMad.
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

std::string_view Text(Opcode opcode);  // such as "mad"
std::optional<Opcode> OpcodeNamed(std::string_view mnemonic);

// Returns false for the PARSED_OPCODE rows: a module may contain them, but no device executes them.
bool IsExecuted(Opcode opcode);

}  // namespace warpcheck::ptx
