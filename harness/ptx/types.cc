#include "ptx/types.h"

#include <array>
#include <cstddef>

namespace warpcheck::ptx {
namespace {

struct TypeRow {
  std::uint32_t bytes;
  bool is_float;
  bool is_signed;
};

// The names have the order of Type.
constexpr std::array<TypeRow, static_cast<std::size_t>(Type::kPred) + 1> kTypes{{
    {0, false, false},  {1, false, false}, {2, false, false}, {4, false, false}, {8, false, false},
    {16, false, false}, {1, false, false}, {2, false, false}, {4, false, false}, {8, false, false},
    {1, false, true},   {2, false, true},  {4, false, true},  {8, false, true},  {4, false, false},
    {4, false, true},   {2, true, true},   {4, true, true},   {2, true, true},   {4, true, true},
    {4, true, true},    {4, true, true},   {8, true, true},   {1, false, false},
}};

const TypeRow& Row(Type type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

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

}  // namespace warpcheck::ptx
