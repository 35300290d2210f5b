// `warpcheck run`: runs any CUDA program on the emulator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck {

struct RunOptions {
  std::vector<std::string> program;           // a program or a .cu file, and its arguments
  std::string checks = "all";                 // names of run/settings.h, separated by commas
  std::filesystem::path counters;             // the JSON file to write; empty: none
  std::string trace;                          // "kernel:line"; empty: nothing is traced
  bool break_on_finding = false;              // show the registers at the first finding
  bool fail_on_findings = false;              // exit with 1 if the program exits with 0
  std::optional<std::uint64_t> seed;          // for the order of blocks and warps
  std::optional<unsigned> threads;            // that run a kernel; the default is one for each core
  std::uint64_t memory_gib = 4;               // of the device
  std::optional<std::uint64_t> instructions;  // warp instructions after which a kernel is ended
  std::size_t lines = 3;                      // lines shown of each kernel
  std::vector<std::string> nvcc_flags;        // to build a .cu file
};

// Ends as the program did, by its signal, or returns its status; 1 for findings if fail_on_findings
// is set, kExitUsage if the program cannot be built or started, kExitFault if there is no report.
int RunCommand(const RunOptions& options);

}  // namespace warpcheck
