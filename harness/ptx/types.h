// The vocabulary of PTX instructions. Names follow the PTX ISA; Text() gives its spelling.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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

// State spaces (section 5.1). kGeneric: an address without a space.
enum class Space : std::uint8_t { kGeneric, kConst, kGlobal, kLocal, kParam, kShared };

// Rounding: to an integer with the "i" forms.
enum class Rounding : std::uint8_t { kNone, kRn, kRz, kRm, kRp, kRna, kRni, kRzi, kRmi, kRpi };

enum class Compare : std::uint8_t {
  kNone,
  kEq, kNe, kLt, kLe, kGt, kGe,            // signed, unsigned or ordered float, as the type says
  kLo, kLs, kHi, kHs,                      // unsigned
  kEqu, kNeu, kLtu, kLeu, kGtu, kGeu,      // float, true if either is NaN
  kNum, kNan,
};

enum class BoolOp : std::uint8_t { kNone, kAnd, kOr, kXor };

// Which half of a product mul and mad give.
enum class MulPart : std::uint8_t { kNone, kLo, kHi, kWide };

enum class Atomic : std::uint8_t {
  kNone, kAnd, kOr, kXor, kCas, kExch, kAdd, kInc, kDec, kMin, kMax,
};

enum class Shuffle : std::uint8_t { kNone, kUp, kDown, kBfly, kIdx };

enum class Vote : std::uint8_t { kNone, kAll, kAny, kUni, kBallot };

enum class SpecialRegister : std::uint8_t {
  kTidX, kTidY, kTidZ,
  kNtidX, kNtidY, kNtidZ,
  kCtaidX, kCtaidY, kCtaidZ,
  kNctaidX, kNctaidY, kNctaidZ,
  kLaneId, kWarpId, kNwarpId, kSmId, kNsmId, kGridId,
  kLanemaskEq, kLanemaskLe, kLanemaskLt, kLanemaskGe, kLanemaskGt,
  kClock, kClockHi, kClock64, kGlobaltimer, kGlobaltimerLo, kGlobaltimerHi,
  kDynamicSmemSize, kTotalSmemSize,
  kEnvreg1, kEnvreg2,  // of a cooperative launch: the address of its workspace, high and low
  kClusterIdX, kClusterIdY, kClusterIdZ,
  kNclusterIdX, kNclusterIdY, kNclusterIdZ,
  kClusterCtaIdX, kClusterCtaIdY, kClusterCtaIdZ,
  kClusterNctaIdX, kClusterNctaIdY, kClusterNctaIdZ,
  kClusterCtaRank, kClusterNctaRank,
};

// clang-format on
std::string_view Text(Type type);                // "f32"
std::string_view Text(Space space);              // "global"; "" for generic
std::string_view Text(SpecialRegister special);  // "%tid.x"

// True for what tells of the cluster that a block belongs to.
bool IsOfCluster(SpecialRegister special);

// What a special register reads as: u32 or u64.
Type TypeOf(SpecialRegister special);

std::optional<Type> TypeNamed(std::string_view text);                // "f32"
std::optional<SpecialRegister> SpecialNamed(std::string_view text);  // "%tid.x"

// Bytes of one value; 0 for kNone, 1 for kPred.
std::uint32_t Bytes(Type type);
bool IsFloat(Type type);
bool IsSigned(Type type);
bool IsPackedInteger(Type type);  // two in a register; of instructions, never of a register

}  // namespace warpcheck::ptx
