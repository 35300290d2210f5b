// The command `warpcheck run` runs any CUDA program on the emulator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck {

struct RunOptions {
  std::vector<std::string> program;  // a program or a .cu file, and its arguments
  std::string checks = "all";        // names from run/settings.h, separated by commas
  std::filesystem::path counters;    // the JSON file to write; empty to write no file
  std::filesystem::path report;      // the file of the report; empty to print it to stderr
  std::filesystem::path html;        // the page to write; empty to write no page
  std::filesystem::path root;        // files below it are shown by their names in it
  std::filesystem::path sarif;       // the SARIF file to write; empty to write no file
  std::string trace;                 // "kernel:line"; empty to trace nothing
  bool timeline = false;             // true to show a timeline of the program's calls
  bool calls = false;                // true to list the program's calls
  bool break_on_finding = false;     // true to show the registers at the first finding
  // True to exit with 1, if there are findings and the program exits with 0.
  bool fail_on_findings = false;
  std::optional<std::uint64_t> seed;  // decides the order of blocks and warps
  // The number of threads that run a kernel; the default is one for each core.
  std::optional<unsigned> threads;
  std::uint64_t memory_gib = 4;  // the memory of the device, in GiB
  // The number of warp instructions after which a kernel is ended.
  std::optional<std::uint64_t> instructions;
  std::size_t lines = 3;                // the number of lines that are shown of each kernel
  std::vector<std::string> nvcc_flags;  // flags for nvcc, if it builds a .cu file
};

// Ends as the program did, by its signal, or returns the program's status. Returns 1 for findings
// if fail_on_findings is set, kExitUsage if the program cannot be built or started, and kExitFault
// if there is no report.
int RunCommand(const RunOptions& options);

}  // namespace warpcheck
