// The commands of `warpcheck_measure`, which tell what devices do, and what checks notice. Each
// returns the exit status (cli/places.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck {

struct LabOptions {
  std::string lab = "transpose";
  std::string device = "auto";       // "auto", "emulator", "gpu"
  std::vector<std::uint32_t> sizes;  // empty: those of the lecture, or fewer on the emulator
  std::filesystem::path svg;         // a plot; empty: none
};

struct ParityOptions {
  std::string device = "emulator";  // "emulator", "gpu"
  std::filesystem::path measured;   // an earlier run's file, in place of a run
  std::filesystem::path set;        // what is measured; empty: tests/parity/set.toml
  std::string only = "*";           // subjects, as in --gtest_filter
  std::size_t jobs = 0;             // at once; 0: as many as there are cores
  std::filesystem::path write;      // empty: nowhere
  std::filesystem::path against;    // empty: compared with nothing
  std::filesystem::path known;      // empty: nothing is known
  bool all = false;                 // shows known disagreements too
  bool rows = false;                // shows rows for `known` in place of everything else
  bool no_sandbox = false;
};

struct ChangedPrograms {
  std::vector<std::string> assignments;  // empty: all of courses that have references
  std::size_t sample = 0;                // so many programs of each, always the same; 0: all
  std::size_t jobs = 0;                  // graded at once; 0: as many as there are cores
  bool no_sandbox = false;
};

struct MutationOptions : ChangedPrograms {
  std::string only;   // changes whose names begin so
  bool list = false;  // shows the changes, and grades none
};

int LabCommand(const LabOptions& options);
int ParityCommand(const ParityOptions& options);
// Grades small changes of references. kExitFull where each of them loses points or is listed as
// equivalent, kExitLost where one does not or a list is out of date.
int MutationCommand(const MutationOptions& options);
// Grades every test submission with more work in it. kExitLost where that raises a score.
int MoreWorkCommand(const ChangedPrograms& options);

}  // namespace warpcheck
