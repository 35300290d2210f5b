// RunChecksProgram is the main program of the checks of an assignment. The assignment adds its
// cases and the text of its header.
#pragma once

namespace warpcheck {

// Runs the cases that are linked into this program. `header` is the text of the assignment's
// header, `reference_counts` that of its reference_counts.json (reference_counts.h). Returns the
// exit status: 0 if all cases ran to their end, whatever their verdicts; 2 for wrong usage; 3 if
// the checks cannot run on this machine.
int RunChecksProgram(int argc, char** argv, const char* header, const char* reference_counts);

}  // namespace warpcheck
