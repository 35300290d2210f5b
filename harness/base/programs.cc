#include "base/programs.h"

#include <unistd.h>

#include <cstdlib>

namespace warpcheck {

namespace {

namespace fs = std::filesystem;

std::optional<fs::path> IfExecutable(fs::path path) {
  if (!path.is_absolute() || !IsExecutable(path)) return std::nullopt;
  return path;
}

}  // namespace

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

bool IsExecutable(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<fs::path> OnPath(std::string_view program) {
  const std::string path = Environment("PATH");
  for (std::string_view rest = path; !rest.empty();) {
    const std::size_t end = rest.find(':');
    if (auto found = IfExecutable(fs::path(rest.substr(0, end)) / program)) return found;
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return std::nullopt;
}

fs::path PythonToolkit() {
  std::error_code error;
  const fs::path programs = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path packages = programs.parent_path().parent_path().parent_path().parent_path();
  return packages / "nvidia/cu13";
}

}  // namespace warpcheck
