// PTX one-liners on the emulator: cases that data/make_*.py write, or made by hand.
//
// A case's text reads and writes registers by these names: %{h,r,l,p}{a..e} are inputs of 16, 32
// and 64 bits and predicates, %{h,r,l,p}{w..z} outputs; those with t, u, v are temporaries. %rlane
// is the thread, %rs the shared address of its 16 bytes, %lm the global address of its 64 bytes,
// byte i of which is 0x80 + 7 i, %lg that of 256 bytes for all threads, which are zero.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck::emulator {

struct PtxRow {
  std::vector<std::uint64_t> inputs;                  // in the order of the registers' last letters
  std::vector<std::optional<std::uint64_t>> results;  // nullopt: any NaN
};

struct PtxCase {
  std::string text;
  bool whole_warps = false;  // a lane's result depends on the other lanes
  int line = 0;              // in the file
  std::vector<PtxRow> rows;  // one a thread; threads up to a multiple of 32 repeat them
};

std::vector<PtxCase> ReadPtxCases(const std::string& path);

// Which threads execute the text, and how the others are kept from it.
enum class Guarding : std::uint8_t { kNone, kGuard, kNegatedGuard, kBranch };
inline constexpr std::uint32_t kGuardedLanes = 0x0f5ac3e1;  // of kGuard and kBranch; others negated

// The kernel "k" that runs a case; line 7 of its .loc is the text.
std::string PtxOf(const PtxCase& one, Guarding guarding);

struct PtxRun {
  std::string error;                                // why the case did not run
  std::vector<std::vector<std::uint64_t>> results;  // a row each; kUntouched where not executed
};
inline constexpr std::uint64_t kUntouched = 0xa5a5a5a5a5a5a5a5;

PtxRun RunPtx(const PtxCase& one, Guarding guarding, bool portable);

// "line 12: add.u32 ...: row 3 (1 2): expected 3, got 4", for each row that is wrong.
std::vector<std::string> WrongRows(const PtxCase& one, Guarding guarding, const PtxRun& run);

}  // namespace warpcheck::emulator
