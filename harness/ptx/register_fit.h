// Which registers and constants an operand of a type takes (PTX ISA, sections 4.5.5 and 9.4.1).
#pragma once

#include <cstdint>
#include <optional>

#include "ptx/lexer.h"
#include "ptx/types.h"

namespace warpcheck::ptx {

// `wide`: the instruction may use registers wider than its type (ld, st, cvt).
bool RegisterFits(Type declared, Type type, bool wide);

// The bits of a constant (kInteger, kFloat or kDouble) as a value of `type`; nullopt if it is none.
std::optional<std::uint64_t> ImmediateBits(TokenKind literal, std::uint64_t bits, Type type);

}  // namespace warpcheck::ptx
