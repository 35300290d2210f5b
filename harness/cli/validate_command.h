// The command `warpcheck validate` compares the grades of an assignment's test submissions with the
// expected grades.
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
  std::vector<std::filesystem::path> files;  // grades only these programs; empty to grade all
  std::string device = "auto";
  std::optional<std::uint64_t> seed;
  // One in so many programs is graded twice, and the two reports compared; 0: never.
  std::size_t repeat = 0;
  // So many programs are graded at once; 0: one for each processor.
  std::size_t jobs = 0;
  bool no_sandbox = false;
  std::filesystem::path index;  // where to write the index of findings (IndexOf); may be empty
  // True to record what the reference counts, and to validate nothing.
  bool record = false;
};

// Returns the exit status: 0 if the assignment is ready to be handed out, 1 if something is wrong
// with it.
int ValidateCommand(const ValidateOptions& options);

}  // namespace warpcheck
