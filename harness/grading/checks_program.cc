#include "grading/checks_program.h"

#include <fmt/format.h>

namespace warpcheck {

std::vector<std::string> ChecksCommand::Arguments(const std::filesystem::path& results) const {
  std::vector<std::string> arguments = {
      "--shared-object=" + shared_object.string(), "--submission-host=" + submission_host.string(),
      "--results=" + results.string(), fmt::format("--seed={}", seed), "--device=" + device,
      // Blocks and warps run in an order that nobody can count on, as on a GPU.
      fmt::format("--order-seed={}", seed)};
  for (const std::string& source : sources) arguments.push_back("--student-source=" + source);
  if (!sandboxed) arguments.emplace_back("--no-sandbox");
  if (!gpu_host.empty()) arguments.push_back("--gpu-host=" + gpu_host.string());
  if (!memcheck) arguments.emplace_back("--no-memcheck");
  if (!references.empty() && sandboxed) arguments.push_back("--references=" + references.string());
  if (count_every_launch) arguments.emplace_back("--count-every-launch");
  return arguments;
}

std::vector<std::string> ParseTestList(std::string_view text) {
  std::vector<std::string> names;
  std::string suite;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const bool is_case = line.starts_with("  ");
    if (is_case) line.remove_prefix(2);
    line = line.substr(0, line.find("  #"));  // what follows is a remark on the parameter
    if (!is_case) {
      suite = line.ends_with('.') ? std::string(line) : std::string();
    } else if (!suite.empty() && !suite.starts_with("DISABLED_") &&
               suite.find("/DISABLED_") == std::string::npos && !line.starts_with("DISABLED_")) {
      names.push_back(suite + std::string(line));
    }
  }
  return names;
}

}  // namespace warpcheck
