// A Witness is a GPU whose results are compared with the emulator, which judges on every machine.
// If there is a GPU, it makes the same calls. Its results and counters change no points, but a
// contradiction makes the grade not final, so that a person examines it.
#pragma once

#include <string>
#include <vector>

#include "base/record.h"
#include "results/results.h"

namespace warpcheck {

// A Disagreement is a test in which the results of the GPU and the emulator differ.
struct Disagreement {
  std::string case_name;
  // "passed", the first complaint, or the value that was counted for a target.
  std::string on_emulator;
  std::string on_gpu;  // the same for the GPU
  std::string why{};   // the cause, if it is known; otherwise empty

  // Returns whether the difference makes the grade not final.
  bool contradicts() const { return why.empty(); }

  friend bool operator==(const Disagreement&, const Disagreement&) = default;
};
WARPCHECK_FIELDS(Disagreement, case_name, on_emulator, on_gpu, why);

struct Witness {
  std::string missing{};    // why the GPU did not run all tests; empty if it did
  std::string uncounted{};  // why its counters and times were not read; empty if they were
  ChecksReport report{};    // the report of the GPU; empty if no test ran
  std::vector<Disagreement> disagreements{};

  bool contradicts() const;

  friend bool operator==(const Witness&, const Witness&) = default;
};
WARPCHECK_FIELDS(Witness, missing, uncounted, report, disagreements);

// Compares the report of the emulator with that of a GPU. Only tests with a verdict in both reports
// are compared.
Witness WitnessOf(const ChecksReport& judged, ChecksReport seen, std::string missing);

}  // namespace warpcheck
