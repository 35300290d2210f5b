// The program of an assignment's checks, all but its cases, its reference and the text of its
// header.
#pragma once

namespace warpcheck {

// Runs the cases that are linked in. `header` is the text of the assignment's header. Returns the
// program's status: 0 when all cases ran to their end, whatever their verdicts; 2 for wrong usage;
// 3 where the checks cannot run here.
int RunChecksProgram(int argc, char** argv, const char* header);

}  // namespace warpcheck
