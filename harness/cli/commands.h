// The commands of warpcheck. Each returns the exit status (cli/places.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace warpcheck {

struct CheckOptions {
  std::string assignment;
  std::filesystem::path submission;
  std::string device = "auto";  // "auto", "emulator", "gpu"
  std::filesystem::path junit;  // empty: none
  std::filesystem::path json;   // empty: none
  std::optional<std::uint64_t> seed;
  bool no_sandbox = false;
  std::optional<double> fail_under;  // percent
};

int CheckCommand(const CheckOptions& options);
int ListCommand();
int DoctorCommand();

}  // namespace warpcheck
