// Finds out where the mistake of a submission is: experiments change the failing kernels at one
// place (checks/experiment_run.h), and complaints then name the places where that helped.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "compile/outcome.h"
#include "grading/checks_program.h"
#include "results/results.h"

namespace warpcheck {

// Returns the submission, compiled without optimisation: only its kernels if so wanted
// (compile::Request::only_kernels).
using BuildPlainly = std::function<Result<compile::Artifact>(bool only_kernels)>;

// If changes of more places than this help, none of them is known to be the mistake.
inline constexpr std::size_t kMostCures = 3;

// Makes the experiments, if cases failed that only a right result passes. Sets report.experiments,
// and adds the places to the complaints of the cases that failed. `command` is that of the grade,
// and `sources` are the texts of the submission's files by name. `given` says how much hints tell.
// Changes no verdict: if anything fails here, the report stays as it is.
void AddExperiments(const ChecksCommand& command, ChecksProgram& checks,
                    const BuildPlainly& build_plainly,
                    const std::map<std::string, std::string>& sources, Given given,
                    ChecksReport& report);

}  // namespace warpcheck
