// Finds the lines of the student's source that lead to an instruction: its own line, and the lines
// of calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "emulator/core/launch.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

SourceLocation PlaceOf(const Launch& launch, const Program& program, std::uint32_t instruction);

// Returns the student's line of an instruction, or of `step` in the function that runs.
SourceLocation PlaceOf(const Warp& warp, const Step& step);

// Returns the student's places that lead to an instruction: the calls that were inlined, the
// outermost first, and then the instruction's own place. The places have columns, so that two calls
// on one line are two places. If all places are in other files, returns only the innermost. If no
// place is known, the result is empty.
std::vector<SourceLocation> LinesTo(const Launch& launch, const Program& program,
                                    std::uint32_t instruction);

// Returns the kernel's line that called the function of an instruction, inlined or not. The line is
// unknown if the instruction is the kernel's own.
SourceLocation CallerOf(const Launch& launch, const Program& program, std::uint32_t instruction);
SourceLocation CallerOf(const Warp& warp, const Step& step);

// Returns the name of a line as seen from `from`: "line 5", "the same line", "line 5 of other.cu"
// or "an unknown line".
std::string LineText(const SourceLocation& line, const SourceLocation& from);

}  // namespace warpcheck::emulator
