// Which lines of the student's lead to an instruction: its own, and those of calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "emulator/core/launch.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

SourceLocation PlaceOf(const Launch& launch, const Program& program, std::uint32_t instruction);

// The student's line of `step`, in the function that runs.
SourceLocation PlaceOf(const Warp& warp, const Step& step);

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

}  // namespace warpcheck::emulator
