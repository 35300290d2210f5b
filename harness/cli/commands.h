// The commands of warpcheck. Each returns the exit status (cli/places.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck {

struct CheckOptions {
  std::string assignment;
  std::filesystem::path submission;
  std::string device = "auto";                           // "auto", "emulator", "gpu"
  std::map<std::string, std::filesystem::path> reports;  // files by the name of report/reports.h
  std::optional<std::uint64_t> seed;
  bool no_sandbox = false;
  bool no_memcheck = false;          // on a GPU: reads out of bounds go unseen
  std::optional<double> fail_under;  // percent
};

struct BatchOptions {
  std::string assignment;
  std::filesystem::path source;    // a folder or an archive of submissions
  std::filesystem::path out;       // where everything goes
  std::size_t jobs = 0;            // at once; 0: as many as there are cores
  std::string device;              // "auto", "emulator", "gpu"; empty: as begun, else auto
  std::string executor = "local";  // or "slurm"
  std::string slurm_options;       // further ones for sbatch, as words to a shell
  std::string only = "*";          // ids that are graded now, as a glob
  std::string regrade;             // ids that are graded again, whatever their grade is, as a glob
  std::optional<std::uint64_t> seed;
  bool resume = false;
  bool no_sandbox = false;
  bool no_memcheck = false;
};

struct GradeChunkOptions {
  std::filesystem::path array;  // a folder (batch/slurm_files.h)
  std::size_t task = 0;
};

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

struct ValidateOptions {
  std::string assignment;
  std::string device = "auto";
  std::optional<std::uint64_t> seed;
  std::size_t repeat = 0;  // every how many programs one is graded twice, and compared; 0: none
  bool no_sandbox = false;
};

struct RunOptions {
  std::vector<std::string> program;           // a program or a .cu file, and its arguments
  std::string checks = "all";                 // names of run/checkers.h, by commas
  std::filesystem::path counters;             // JSON; empty: none
  std::string trace;                          // "kernel:line"; empty: none
  bool break_on_finding = false;              // show the registers at the first one
  bool fail_on_findings = false;              // status 1 where the program's is 0
  std::optional<std::uint64_t> seed;          // of the order of blocks and warps
  std::optional<unsigned> threads;            // that run a kernel; as many as there are cores
  std::uint64_t memory_gib = 4;               // of the device
  std::optional<std::uint64_t> instructions;  // of warps, after which a kernel is ended
  std::size_t lines = 3;                      // shown a kernel
  std::vector<std::string> nvcc_flags;        // to build a .cu
};

int CheckCommand(const CheckOptions& options);
// 0 where every submission has a final grade, kExitFault where one has none or was refused, 130 or
// 143 where a signal ended it.
int BatchCommand(const BatchOptions& options);
// Grades for a batch: what `warpcheck batch` starts. Orders come on stdin. `references` is a folder
// that all its workers share, made where it is missing (checks/reference_store.h).
int GradeWorkerCommand(const std::filesystem::path& references);
// One task of a Slurm array: what `warpcheck batch --executor slurm` has started on nodes.
int GradeChunkCommand(const GradeChunkOptions& options);
int LabCommand(const LabOptions& options);
int ParityCommand(const ParityOptions& options);
// 0 where the assignment is ready to be handed out, 1 where something is wrong with it.
int ValidateCommand(const ValidateOptions& options);
// The program's own status or signal; 1 for findings where asked, kExitUsage where it cannot be
// built or started, kExitFault where there is no report.
int RunCommand(const RunOptions& options);
// The names that --check takes: "races, api".
std::string CheckerList();
int ListCommand();
int DoctorCommand();

}  // namespace warpcheck
