// Findings made while a kernel runs, and what ends a launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/finding.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// The student's line of `step`, in the function that runs.
SourceLocation PlaceOf(const Warp& warp, const Step& step);

// Records a finding at `step` (once for each place and kind; later ones only add to its count).
// `message` and `hint` are used for the first occurrence only, whose lane is the lowest of `lanes`.
void Report(Warp& warp, const Step& step, FindingKind kind, LaneMask lanes, std::string message,
            std::string hint = {});
// True if a finding of that kind at this place is already recorded: the message is not needed.
bool Reported(const Warp& warp, const Step& step, FindingKind kind);

// Stop the launch.
void ReportTrap(Warp& warp, const Step& step, LaneMask lanes);
void ReportBudget(Warp& warp, const Step& step);
// A StepFunction: Isa::unsupported.
void ReportUnsupported(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);

// Tells the observers, if there are any, of a branch at which `active` lanes part.
void ObserveBranch(Warp& warp, const Step& step, LaneMask active, LaneMask taken);

// Which lines of the student's lead to an instruction: its own, and those of calls.

// The places of the student's that lead to an instruction: the calls by which inlined code came
// there, the outermost first, then the instruction's own. Calls have their columns: two on one line
// are two places. Where none is the student's, the innermost place alone; where nothing is known,
// none.
std::vector<SourceLocation> LinesTo(const Launch& launch, const Program& program,
                                    std::uint32_t instruction);

// The kernel's line that called the function of an instruction, inlined or not; empty where the
// instruction is the kernel's own.
SourceLocation CallerOf(const Launch& launch, const Program& program, std::uint32_t instruction);
SourceLocation CallerOf(const Warp& warp, const Step& step);

// "line 5", seen from `from`: "the same line", "line 5 of other.cu", "an unknown line".
std::string LineText(const SourceLocation& line, const SourceLocation& from);

// What to do about an access outside an array, where the code or a size tells; else empty.

// Of a guard that asks threadIdx, where the index of the access counts through the grid.
std::string GuardHint(const Launch& launch, const Program& program, std::uint32_t instruction);
// Of memory that the program allocated by a number of elements instead of bytes.
std::string AllocationHint(const Launch& launch, const Allocation& array, std::uint64_t address,
                           std::uint32_t bytes);
// Adds to findings of accesses beyond dynamic shared memory how much of it the kernel uses. At the
// end of a launch.
void TellSharedSize(Launch& launch);

// Of an address that nothing has written: which call of the host wrote only what lies before it.
struct WrittenPart {
  std::string message;  // "cudaMemset wrote the first 512 of the array's 2,048 bytes: ", or empty
  std::string hint;
};
WrittenPart PartWritten(const Allocation& array, std::uint64_t address);

// What memory is called in what students are told: arrays by their names, elements by their
// indices.

// "in[130] (row 2, column 2)", "element 5 of the 400-byte array of the kernel's 2nd parameter",
// "element 17 of tile", "byte 24 of the thread's local memory". `bytes`: of the access, which are
// an element where the array does not say how large one is.
std::string ElementText(const Launch& launch, MemoryKind memory, std::uint64_t address,
                        std::uint32_t bytes);

// Of an access outside `array`, or to one that was freed: "in[4098], 2 elements past the end of in
// (4,096 elements)".
std::string OutsideText(const Launch& launch, const Allocation& array, std::uint64_t address,
                        std::uint32_t bytes);

// The array that an instruction of the kernel means: that of the one parameter which its address
// was made from. Null where the code does not tell.
const Allocation* MeantArray(Launch& launch, const Program& program, std::uint32_t instruction);

}  // namespace warpcheck::emulator
