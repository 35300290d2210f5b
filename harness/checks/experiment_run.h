// Makes experiments with a submission that fails cases: the failing cases run again, each time with
// one small change of a kernel or a launch (experiments/change.h).
//
// The basic idea:
//
//   for each change of the kernels that ran          (`<=` in place of `<` in line 31)
//     run the cheapest failing case with it          a few milliseconds
//     if it is right: run the failing and passed cases, and some again with other data
//       if they are right: the place of the change is probably the mistake
//
// The submission must be compiled without optimisation, so that each operation of the source is one
// instruction. What experiments cost is bounded by executed instructions and by the number of
// tries, never by the clock, so that every machine finds the same.
#pragma once

#include <string>

#include "results/checks_order.h"
#include "results/experiment.h"
#include "sandbox/sandbox.h"

namespace warpcheck {

struct ExperimentBudget {
  std::uint64_t instructions = 30'000'000;  // warp instructions of all tries of the cheapest case
  std::uint32_t tries = 300;                // tries of the cheapest case
  std::uint32_t confirmations = 12;         // changes that are tried in many cases
  std::uint64_t confirming = 150'000'000;   // warp instructions after which no other one is
};

// Makes the experiments that the order asks for. Runs the cases of this program, and writes no
// results of theirs.
Experiments MakeExperiments(const ChecksOrder& order, sandbox::Sandbox& sandbox,
                            const std::string& header, const ExperimentBudget& budget = {});

}  // namespace warpcheck
