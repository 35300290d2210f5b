// A GPU as the witness of a grade. The emulator judges on every machine. Where there is a GPU, it
// makes the same calls, and its results and counters are compared with the emulator's: they give
// and take no points, but a contradiction makes the grade not final, so that a person looks.
#pragma once

#include <string>
#include <vector>

#include "base/record.h"
#include "results/results.h"

namespace warpcheck {

// One test in which the GPU did not come to the emulator's result.
struct Disagreement {
  std::string case_name;
  std::string on_emulator;  // "passed", or its first complaint; of a target, what it counted
  std::string on_gpu;       // the same of the GPU
  std::string why{};        // the known cause; empty where nobody knows one

  // Whether it makes the grade not final.
  bool contradicts() const { return why.empty(); }

  friend bool operator==(const Disagreement&, const Disagreement&) = default;
};
WARPCHECK_FIELDS(Disagreement, case_name, on_emulator, on_gpu, why);

struct Witness {
  std::string missing{};  // why the GPU saw nothing, or not everything; may be empty
  ChecksReport report{};  // of the GPU; empty where it saw nothing
  std::vector<Disagreement> disagreements{};

  bool contradicts() const;

  friend bool operator==(const Witness&, const Witness&) = default;
};
WARPCHECK_FIELDS(Witness, missing, report, disagreements);

// What a GPU saw of the calls that the emulator judged, compared. Of both reports only tests that
// ran and came to a verdict are compared.
Witness WitnessOf(const ChecksReport& judged, ChecksReport seen, std::string missing);

}  // namespace warpcheck
