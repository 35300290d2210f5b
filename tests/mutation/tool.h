// What the two tools share: the assignments that they run over, their options and their statuses.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "run.h"

namespace warpcheck::mutation {

inline constexpr int kUsage = 2;
inline constexpr int kFault = 3;

struct ToolOptions {
  std::vector<std::string> assignments;
  std::size_t sample = 0;  // 0 for all
  std::size_t workers = 1;
  bool no_sandbox = false;
};

// The repository, whose programs are changed.
const std::filesystem::path& Repository();

// The folder <name> of the build that this program belongs to.
std::filesystem::path ScratchFolder(const std::string& name);

// Grades with the build that this program belongs to; keeps its files in `scratch`.
Grader MakeGrader(const ToolOptions& options, const std::filesystem::path& scratch,
                  const std::string& assignment);

// Shows on a terminal how far a run is: "transpose: 3 of 20 mutants". An empty text removes it.
void ShowProgress(const std::string& text);

// Reads the command line, to which `app` may add options, and calls `run` for each assignment that
// it names, or for all. Returns the worst status of those; throws what they throw.
int RunTool(CLI::App& app, ToolOptions& options, int argc, char** argv,
            const std::function<int(const std::string& assignment)>& run);

}  // namespace warpcheck::mutation
