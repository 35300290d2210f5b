// The commands of `warpcheck_class`, which grades a class and builds a course. Each returns the
// exit status (cli/places.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "batch/journal/journal.h"
#include "batch/work/local_executor.h"

namespace warpcheck {

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
  std::filesystem::path rules;  // a class.toml (batch/course/class_rules.h); empty: those of before
  bool resume = false;
  bool no_sandbox = false;
  bool similar = false;  // look for submissions that are alike
};

struct NoteOptions {
  std::string student;           // an id of the batch
  std::filesystem::path out;     // its folder
  std::optional<double> points;  // the mark; none: a comment alone
  std::string comment;
  std::string who;  // who says so
};

struct GradeChunkOptions {
  std::filesystem::path array;  // a folder (batch/slurm/files.h)
  std::size_t task = 0;
};

struct NewOptions {
  std::filesystem::path course;  // a folder to make; empty: an assignment
  std::string assignment;
};

struct HandoutOptions {
  std::string assignment;
  std::filesystem::path folder;  // to make
  std::string service;           // whose CI file goes into it; empty: none
};

// 0 where every submission has a final grade, kExitFault where one has none or was refused, 130 or
// 143 where a signal ended it.
int BatchCommand(const BatchOptions& options);
// Keeps a person's word on a student's mark in the journal, and makes the files anew.
int NoteCommand(const NoteOptions& options);
// Grades for a batch: what `warpcheck batch` starts. Orders come on stdin.
int GradeWorkerCommand();
// One task of a Slurm array: what `warpcheck batch --executor slurm` has started on nodes.
int GradeChunkCommand(const GradeChunkOptions& options);
// kExitUsage where something is there already, or a name cannot be one.
int NewCommand(const NewOptions& options);
// Of the current folder's course. kExitFault where something does not compile.
int BuildCommand();
// kExitUsage where the folder is not empty, or the assignment lacks a file that students receive.
int HandoutCommand(const HandoutOptions& options);
// What --service takes: "github".
std::vector<std::string> HandoutServices();

// Parts of BatchCommand.

// `warpcheck batch --similar`: compares the submissions of the journal's roster, and writes
// similar.html, similar.csv and similar/ into the batch's folder. PTX comes from the build cache,
// and from nvcc where it is not there any more. Fails where files cannot be written, or PTX cannot
// be had because of this machine.
Result<> FindSimilar(const std::filesystem::path& out, const Rubric& rubric,
                     const batch::JournalState& state);

// What grades on this machine: this program, and the GPUs that it may use.
batch::LocalExecutorSettings GradersHere(const batch::BatchIdentity& identity,
                                         const std::filesystem::path& scratch);

}  // namespace warpcheck
