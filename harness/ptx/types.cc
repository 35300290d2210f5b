#include "ptx/types.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace warpcheck::ptx {
namespace {

struct TypeRow {
  std::string_view text;
  std::uint32_t bytes;
  bool is_float;
  bool is_signed;
};

// In the order of Type.
constexpr std::array<TypeRow, static_cast<std::size_t>(Type::kPred) + 1> kTypes{{
    {"", 0, false, false},     {"b8", 1, false, false},   {"b16", 2, false, false},
    {"b32", 4, false, false},  {"b64", 8, false, false},  {"b128", 16, false, false},
    {"u8", 1, false, false},   {"u16", 2, false, false},  {"u32", 4, false, false},
    {"u64", 8, false, false},  {"s8", 1, false, true},    {"s16", 2, false, true},
    {"s32", 4, false, true},   {"s64", 8, false, true},   {"u16x2", 4, false, false},
    {"s16x2", 4, false, true}, {"f16", 2, true, true},    {"f16x2", 4, true, true},
    {"bf16", 2, true, true},   {"bf16x2", 4, true, true}, {"tf32", 4, true, true},
    {"f32", 4, true, true},    {"f64", 8, true, true},    {"pred", 1, false, false},
}};

const TypeRow& Row(Type type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view Text(Type type) { return Row(type).text; }
std::uint32_t Bytes(Type type) { return Row(type).bytes; }
bool IsFloat(Type type) { return Row(type).is_float; }
bool IsSigned(Type type) { return Row(type).is_signed; }

bool IsPackedInteger(Type type) { return type == Type::kU16x2 || type == Type::kS16x2; }

bool IsOfCluster(SpecialRegister special) {
  return special >= SpecialRegister::kClusterIdX && special <= SpecialRegister::kClusterNctaRank;
}

Type TypeOf(SpecialRegister special) {
  const bool wide = special == SpecialRegister::kClock64 ||
                    special == SpecialRegister::kGlobaltimer || special == SpecialRegister::kGridId;
  return wide ? Type::kU64 : Type::kU32;
}

std::optional<Type> TypeNamed(std::string_view text) {
  for (std::size_t i = 1; i < kTypes.size(); ++i) {
    if (kTypes[i].text == text) return static_cast<Type>(i);
  }
  return std::nullopt;
}

}  // namespace warpcheck::ptx
