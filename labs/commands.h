// This header declares the commands of `warpcheck_measure`, which measure devices and the checks of
// assignments. Each returns the exit status (cli/exit_status.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck {

struct LabOptions {
  std::string lab = "transpose";
  std::string device = "auto";       // "auto", "emulator", "gpu"
  std::vector<std::uint32_t> sizes;  // empty: the lecture's, or fewer on the emulator
  std::filesystem::path svg;         // a plot; empty: none
};

struct ParityOptions {
  std::string device = "emulator";  // "emulator", "gpu"
  std::filesystem::path measured;   // reads this earlier result instead of a run
  std::filesystem::path set;        // the calibration set; empty: tests/parity/set.toml
  std::string only = "*";           // subjects, as in --gtest_filter
  std::size_t jobs = 0;             // measured at once; 0: as many as there are cores
  std::filesystem::path write;      // the result's file; empty: none
  std::filesystem::path against;    // empty: no comparison
  std::filesystem::path known;      // known disagreements; empty: none
  bool all = false;                 // shows known disagreements too
  bool rows = false;                // shows rows for `known` in place of everything else
  bool no_sandbox = false;
};

struct ChangedPrograms {
  std::vector<std::string> assignments;  // empty: all assignments with a reference
  std::size_t sample = 0;  // grades this many programs of each, always the same; 0: all
  std::size_t jobs = 0;    // graded at once; 0: as many as there are cores
  bool no_sandbox = false;
};

struct MutationOptions : ChangedPrograms {
  std::string only;   // only changes whose names begin with this
  bool list = false;  // shows the changes, and grades none
};

int LabCommand(const LabOptions& options);
int ParityCommand(const ParityOptions& options);
// Grades small changes of references. Returns kExitFull if each of them loses points or is listed
// as equivalent, kExitLost if one does not or a list is out of date.
int MutationCommand(const MutationOptions& options);
// Grades every test submission with more work in it. Returns kExitLost if a score rises.
int MoreWorkCommand(const ChangedPrograms& options);

}  // namespace warpcheck
