// `warpcheck validate`: compares the grades of an assignment's test submissions with what they
// expect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck {

struct ValidateOptions {
  std::string assignment;
  std::vector<std::filesystem::path> files;  // grades these programs alone; empty: all
  std::string device = "auto";
  std::optional<std::uint64_t> seed;
  std::size_t repeat = 0;  // every so many programs, one is graded twice and compared; 0: never
  bool no_sandbox = false;
};

// Returns the exit status: 0 if the assignment is ready to be handed out, 1 if something is wrong
// with it.
int ValidateCommand(const ValidateOptions& options);

}  // namespace warpcheck
