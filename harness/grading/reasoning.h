// Adds to the complaint of a wrong result how the wrong element was made (checks/reason_run.h).
#pragma once

#include "grading/checks_program.h"
#include "results/results.h"

namespace warpcheck {

// Runs a case with wrong elements once more, if there is one. The complaint of that case gets the
// reason, as data and in its message. `command` is that of the grade. Changes
// no verdict: if anything fails here, the report stays as it is.
void AddReason(const ChecksCommand& command, ChecksProgram& checks, ChecksReport& report);

}  // namespace warpcheck
