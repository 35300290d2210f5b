// The vocabulary of PTX instructions. Names follow the PTX ISA; Text() gives its
// spelling, ValueNamed() and TypeNamed() the value that is spelled so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/record.h"

namespace warpcheck::ptx {

// The opcodes: one row each in opcodes.def, from which the enum, the parser's grammar of suffixes
// and operands, the verifier and the list of what is supported all come.

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
WARPCHECK_NAMES(Space, "", "const", "global", "local", "param", "shared");

// Rounding: to an integer with the "i" forms.
enum class Rounding : std::uint8_t { kNone, kRn, kRz, kRm, kRp, kRna, kRni, kRzi, kRmi, kRpi };
WARPCHECK_NAMES(Rounding, "", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi");

enum class Compare : std::uint8_t {
  kNone,
  kEq, kNe, kLt, kLe, kGt, kGe,            // signed, unsigned or ordered float, as the type says
  kLo, kLs, kHi, kHs,                      // unsigned
  kEqu, kNeu, kLtu, kLeu, kGtu, kGeu,      // float, true if either is NaN
  kNum, kNan,
};
WARPCHECK_NAMES(Compare, "", "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu",
                "ltu", "leu", "gtu", "geu", "num", "nan");

enum class BoolOp : std::uint8_t { kNone, kAnd, kOr, kXor };
WARPCHECK_NAMES(BoolOp, "", "and", "or", "xor");

// Which half of a product mul and mad give.
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
  kEnvreg1, kEnvreg2,  // of a cooperative launch: the address of its workspace, high and low
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

std::string_view Text(Type type);                                    // "f32"
inline std::string_view Text(Space space) { return NameOf(space); }  // "" for generic
inline std::string_view Text(SpecialRegister special) { return NameOf(special); }

// True for what tells of the cluster that a block belongs to.
bool IsOfCluster(SpecialRegister special);

// What a special register reads as: u32 or u64.
Type TypeOf(SpecialRegister special);

std::optional<Type> TypeNamed(std::string_view text);  // "f32"

// Bytes of one value; 0 for kNone, 1 for kPred.
std::uint32_t Bytes(Type type);
bool IsFloat(Type type);
bool IsSigned(Type type);
bool IsPackedInteger(Type type);  // two in a register; of instructions, never of a register

}  // namespace warpcheck::ptx
