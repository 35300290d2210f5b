// `warpcheck lab` runs a lab, and writes its tables and figures.
#pragma once

#include <filesystem>
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

// Returns the exit status (cli/exit_status.h).
int LabCommand(const LabOptions& options);

}  // namespace warpcheck
