// These types are the vocabulary of PTX instructions, apart from their opcodes. Names follow the
// PTX ISA. Text() returns the spelling of a value; ValueNamed() and TypeNamed() return the value
// with a spelling.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/record.h"

namespace warpcheck::ptx {

// Fundamental types (PTX ISA, section 5.2).
// clang-format off
enum class Type : std::uint8_t {
  kNone,
  kB8, kB16, kB32, kB64, kB128,
  kU8, kU16, kU32, kU64,
  kS8, kS16, kS32, kS64,
  kU16x2, kS16x2,
  kF16, kF16x2, kBf16, kBf16x2, kTf32, kF32, kF64,
  kPred,
};
WARPCHECK_NAMES(Type, "", "b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64", "s8", "s16", "s32",
                "s64", "u16x2", "s16x2", "f16", "f16x2", "bf16", "bf16x2", "tf32", "f32", "f64", "pred");

// State spaces (section 5.1). An address without a space is kGeneric.
enum class Space : std::uint8_t { kGeneric, kConst, kGlobal, kLocal, kParam, kShared };
WARPCHECK_NAMES(Space, "", "const", "global", "local", "param", "shared");

// The forms that end in "i" round to an integer.
enum class Rounding : std::uint8_t { kNone, kRn, kRz, kRm, kRp, kRna, kRni, kRzi, kRmi, kRpi };
WARPCHECK_NAMES(Rounding, "", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi");

enum class Compare : std::uint8_t {
  kNone,
  // Signed, unsigned or ordered float, depending on the type.
  kEq, kNe, kLt, kLe, kGt, kGe,
  kLo, kLs, kHi, kHs,                      // unsigned
  kEqu, kNeu, kLtu, kLeu, kGtu, kGeu,      // float; true if one operand is NaN
  kNum, kNan,
};
WARPCHECK_NAMES(Compare, "", "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu",
                "ltu", "leu", "gtu", "geu", "num", "nan");

enum class BoolOp : std::uint8_t { kNone, kAnd, kOr, kXor };
WARPCHECK_NAMES(BoolOp, "", "and", "or", "xor");

// The half of a product that mul and mad return.
enum class MulPart : std::uint8_t { kNone, kLo, kHi, kWide };
WARPCHECK_NAMES(MulPart, "", "lo", "hi", "wide");

enum class Atomic : std::uint8_t {
  kNone, kAnd, kOr, kXor, kCas, kExch, kAdd, kInc, kDec, kMin, kMax,
};
WARPCHECK_NAMES(Atomic, "", "and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max");

enum class Shuffle : std::uint8_t { kNone, kUp, kDown, kBfly, kIdx };
WARPCHECK_NAMES(Shuffle, "", "up", "down", "bfly", "idx");

enum class Vote : std::uint8_t { kNone, kAll, kAny, kUni, kBallot };
WARPCHECK_NAMES(Vote, "", "all", "any", "uni", "ballot");

enum class SpecialRegister : std::uint8_t {
  kTidX, kTidY, kTidZ,
  kNtidX, kNtidY, kNtidZ,
  kCtaidX, kCtaidY, kCtaidZ,
  kNctaidX, kNctaidY, kNctaidZ,
  kLaneId, kWarpId, kNwarpId, kSmId, kNsmId, kGridId,
  kLanemaskEq, kLanemaskLe, kLanemaskLt, kLanemaskGe, kLanemaskGt,
  kClock, kClockHi, kClock64, kGlobaltimer, kGlobaltimerLo, kGlobaltimerHi,
  kDynamicSmemSize, kTotalSmemSize,
  kEnvreg1, kEnvreg2,  // the address of a cooperative launch's workspace, its high and its low half
  kClusterIdX, kClusterIdY, kClusterIdZ,
  kNclusterIdX, kNclusterIdY, kNclusterIdZ,
  kClusterCtaIdX, kClusterCtaIdY, kClusterCtaIdZ,
  kClusterNctaIdX, kClusterNctaIdY, kClusterNctaIdZ,
  kClusterCtaRank, kClusterNctaRank,
};
WARPCHECK_NAMES(SpecialRegister,
  "%tid.x", "%tid.y", "%tid.z",
  "%ntid.x", "%ntid.y", "%ntid.z",
  "%ctaid.x", "%ctaid.y", "%ctaid.z",
  "%nctaid.x", "%nctaid.y", "%nctaid.z",
  "%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid",
  "%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt",
  "%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi",
  "%dynamic_smem_size", "%total_smem_size",
  "%envreg1", "%envreg2",
  "%clusterid.x", "%clusterid.y", "%clusterid.z",
  "%nclusterid.x", "%nclusterid.y", "%nclusterid.z",
  "%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z",
  "%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z",
  "%cluster_ctarank", "%cluster_nctarank");
// clang-format on

inline std::string_view Text(Type type) { return NameOf(type); }  // such as "f32"
// The name of the space; "" for generic.
inline std::string_view Text(Space space) { return NameOf(space); }
inline std::string_view Text(SpecialRegister special) { return NameOf(special); }

// Returns true for the special registers that describe the cluster of a block.
bool IsOfCluster(SpecialRegister special);

// Returns the type of a special register: u32 or u64.
Type TypeOf(SpecialRegister special);

// Returns the type with a spelling such as "f32". kNone has no spelling.
constexpr std::optional<Type> TypeNamed(std::string_view text) {
  return text.empty() ? std::nullopt : ValueNamed<Type>(text);
}

// Returns the number of bytes of one value: 0 for kNone, 1 for kPred.
std::uint32_t Bytes(Type type);
bool IsFloat(Type type);
bool IsSigned(Type type);
bool IsPackedInteger(Type type);  // true for types with two integers in one register

}  // namespace warpcheck::ptx
