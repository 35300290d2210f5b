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

// In the order of SpecialRegister.
constexpr std::array<std::string_view,
                     static_cast<std::size_t>(SpecialRegister::kClusterNctaRank) + 1>
    kSpecials{
        "%tid.x",
        "%tid.y",
        "%tid.z",
        "%ntid.x",
        "%ntid.y",
        "%ntid.z",
        "%ctaid.x",
        "%ctaid.y",
        "%ctaid.z",
        "%nctaid.x",
        "%nctaid.y",
        "%nctaid.z",
        "%laneid",
        "%warpid",
        "%nwarpid",
        "%smid",
        "%nsmid",
        "%gridid",
        "%lanemask_eq",
        "%lanemask_le",
        "%lanemask_lt",
        "%lanemask_ge",
        "%lanemask_gt",
        "%clock",
        "%clock_hi",
        "%clock64",
        "%globaltimer",
        "%globaltimer_lo",
        "%globaltimer_hi",
        "%dynamic_smem_size",
        "%total_smem_size",
        "%envreg1",
        "%envreg2",
        "%clusterid.x",
        "%clusterid.y",
        "%clusterid.z",
        "%nclusterid.x",
        "%nclusterid.y",
        "%nclusterid.z",
        "%cluster_ctaid.x",
        "%cluster_ctaid.y",
        "%cluster_ctaid.z",
        "%cluster_nctaid.x",
        "%cluster_nctaid.y",
        "%cluster_nctaid.z",
        "%cluster_ctarank",
        "%cluster_nctarank",
    };

const TypeRow& Row(Type type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view Text(Type type) { return Row(type).text; }
std::uint32_t Bytes(Type type) { return Row(type).bytes; }
bool IsFloat(Type type) { return Row(type).is_float; }
bool IsSigned(Type type) { return Row(type).is_signed; }

bool IsPackedInteger(Type type) { return type == Type::kU16x2 || type == Type::kS16x2; }

std::string_view Text(Space space) {
  constexpr std::string_view kNames[] = {"", "const", "global", "local", "param", "shared"};
  return kNames[static_cast<std::size_t>(space)];
}

std::string_view Text(SpecialRegister special) {
  return kSpecials[static_cast<std::size_t>(special)];
}

bool IsOfCluster(SpecialRegister special) {
  return special >= SpecialRegister::kClusterIdX && special <= SpecialRegister::kClusterNctaRank;
}

Type TypeOf(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::kClock64:
    case SpecialRegister::kGlobaltimer:
    case SpecialRegister::kGridId:
      return Type::kU64;
    default:
      return Type::kU32;
  }
}

std::optional<Type> TypeNamed(std::string_view text) {
  for (std::size_t i = 1; i < kTypes.size(); ++i) {
    if (kTypes[i].text == text) return static_cast<Type>(i);
  }
  return std::nullopt;
}

std::optional<SpecialRegister> SpecialNamed(std::string_view text) {
  for (std::size_t i = 0; i < kSpecials.size(); ++i) {
    if (kSpecials[i] == text) return static_cast<SpecialRegister>(i);
  }
  return std::nullopt;
}

}  // namespace warpcheck::ptx
