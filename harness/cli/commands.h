// The commands of the program `warpcheck`. Each returns the exit status (cli/places.h).
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
  std::optional<double> fail_under;  // percent
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
  std::string checks = "all";                 // names of run/settings.h, by commas
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
// 0 where the assignment is ready to be handed out, 1 where something is wrong with it.
int ValidateCommand(const ValidateOptions& options);
// The program's own status or signal; 1 for findings where asked, kExitUsage where it cannot be
// built or started, kExitFault where there is no report.
int RunCommand(const RunOptions& options);
int ListCommand();
int DoctorCommand();

}  // namespace warpcheck
