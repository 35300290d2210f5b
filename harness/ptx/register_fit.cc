#include "ptx/register_fit.h"

#include <bit>

namespace warpcheck::ptx {
namespace {

bool IsBits(Type type) { return type >= Type::kB8 && type <= Type::kB128; }
bool IsInteger(Type type) { return type >= Type::kU8 && type <= Type::kS64; }

}  // namespace

bool RegisterFits(Type declared, Type type, bool wide) {
  if (declared == Type::kPred || type == Type::kPred) return declared == type;
  const std::uint32_t have = Bytes(declared);
  const std::uint32_t need = Bytes(type);
  if (have < need || (have != need && !wide)) return false;
  if (IsBits(declared)) return true;
  if (IsBits(type)) return have == need || IsInteger(declared);
  if (IsInteger(declared) && IsInteger(type)) return true;
  return declared == type;
}

std::optional<std::uint64_t> ImmediateBits(TokenKind literal, std::uint64_t bits, Type type) {
  if (literal == TokenKind::kInteger) {
    if (IsFloat(type)) return std::nullopt;
    if (type == Type::kPred) return bits != 0 ? 1 : 0;
    const std::uint32_t width = Bytes(type) * 8;
    return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
  }
  const bool is_single = literal == TokenKind::kFloat;
  if (type == Type::kF32 && is_single) return bits;
  if (type == Type::kF64 && !is_single) return bits;
  if (type == Type::kF32) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  }
  if (type == Type::kF64) {
    return std::bit_cast<std::uint64_t>(
        double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))});
  }
  if ((type == Type::kB32 && is_single) || (type == Type::kB64 && !is_single)) return bits;
  return std::nullopt;
}

}  // namespace warpcheck::ptx
