// Runs single instructions of PTX on the emulator. Scripts data/make_*.py write the cases, or
// people do.
//
// A case's text uses these registers: %{h,r,l,p}{a..e} are inputs of 16, 32 and 64 bits and
// predicates, %{h,r,l,p}{w..z} are outputs, and those with t, u, v are temporaries. %rlane is the
// thread. %rs is the shared address of its 16 bytes, and %lm the global address of its 64 bytes, of
// which byte i is 0x80 + 7 i. %lg is the address of 256 zero bytes for all threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck::emulator {

struct PtxRow {
  std::vector<std::uint64_t> inputs;  // values in the order of the last letters of the registers
  std::vector<std::optional<std::uint64_t>> results;  // nullopt stands for any NaN
};

struct PtxCase {
  std::string text;
  bool whole_warps = false;  // true if a lane's result depends on the other lanes
  int line = 0;              // the line of the file
  // One row for each thread; threads up to a multiple of 32 repeat the rows.
  std::vector<PtxRow> rows;
};

std::vector<PtxCase> ReadPtxCases(const std::string& path);

// The way in which some threads are prevented from executing the text.
enum class Guarding : std::uint8_t { kNone, kGuard, kNegatedGuard, kBranch };
inline constexpr std::uint32_t kGuardedLanes =
    0x0f5ac3e1;  // the lanes of kGuard and kBranch; kNegatedGuard has the others

// Returns a module with the kernel "k" that runs a case. Its .loc gives the text line 7.
std::string PtxOf(const PtxCase& one, Guarding guarding);

struct PtxRun {
  std::string error;  // why the case did not run
  std::vector<std::vector<std::uint64_t>>
      results;  // one result for each row; kUntouched if it was not executed
};
inline constexpr std::uint64_t kUntouched = 0xa5a5a5a5a5a5a5a5;

PtxRun RunPtx(const PtxCase& one, Guarding guarding, bool portable);

// Returns the letters of the inputs that the text uses.
std::vector<char> InputLettersOf(const PtxCase& one);
// Runs a case whose input of this letter nothing has written. Returns the kinds of its findings.
std::vector<std::string> FindingsWithUndefined(const PtxCase& one, char letter);

// Returns a text for each row that is wrong: "line 12: add.u32 ...: row 3 (1 2): expected 3, got
// 4".
std::vector<std::string> WrongRows(const PtxCase& one, Guarding guarding, const PtxRun& run);

}  // namespace warpcheck::emulator
