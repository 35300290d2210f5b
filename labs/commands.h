// This header declares the commands of `warpcheck_measure`, which measure devices and the checks of
// assignments. Each returns the exit status (cli/exit_status.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck {

struct LabOptions {
  std::string lab;                // the name of a lab, or its path; if empty, all labs are listed
  std::string device = "auto";    // "auto", "emulator" or "gpu"
  std::vector<std::string> sets;  // "axis=1,2,3", for values that replace the values in lab.toml
  // Files for the result; empty for no file.
  std::filesystem::path csv;
  std::filesystem::path json;  // without a lab: for the list of labs
  std::filesystem::path html;
  std::filesystem::path svg;  // the folder for the figures
  // If not empty, all labs are run, and each lab's files are in a folder of this one.
  std::filesystem::path all;
};

struct ParityOptions {
  std::string device = "emulator";  // "emulator" or "gpu"
  std::filesystem::path measured;   // an earlier result that is read instead of a run
  std::filesystem::path set;        // the calibration set; if empty, tests/parity/set.toml
  std::string only = "*";           // a filter of subjects, as in --gtest_filter
  // The number of subjects that are measured at once; 0 means as many as there are cores.
  std::size_t jobs = 0;
  std::filesystem::path write;    // the file for the result; empty for no file
  std::filesystem::path against;  // an earlier result to compare with; empty for no comparison
  std::filesystem::path known;    // the file of known disagreements; may be empty
  bool all = false;               // true to show known disagreements too
  bool rows = false;              // true to show only rows for `known`
  bool no_sandbox = false;
};

struct ChangedPrograms {
  std::vector<std::string> assignments;  // if empty, all assignments with a reference
  // Grades this many programs of each assignment; 0 means all.
  std::size_t sample = 0;
  // The seed decides which ones these are; without one they are always the same.
  std::optional<std::uint64_t> seed;
  // The number of programs that are graded at once; 0 means as many as there are cores.
  std::size_t jobs = 0;
  bool no_sandbox = false;
};

struct MutationOptions : ChangedPrograms {
  std::string only;   // the beginning of the names of the wanted changes
  bool list = false;  // true to list the changes without grading
};

int LabCommand(const LabOptions& options);
int ParityCommand(const ParityOptions& options);
// Grades small changes of references. Returns kExitFull if each of them loses points or is listed
// as equivalent. Returns kExitLost if a change does not lose points, or if a list is out of date.
int MutationCommand(const MutationOptions& options);
// Grades every test submission with additional work in it. Returns kExitLost if a score rises.
int MoreWorkCommand(const ChangedPrograms& options);

}  // namespace warpcheck
