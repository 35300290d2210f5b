#include "batch/intake/submission_files.h"

#include <fmt/format.h>

#include <string_view>
#include <system_error>
#include <vector>

#include "base/files.h"
#include "base/hash.h"

namespace warpcheck::batch {

namespace fs = std::filesystem;

Result<compile::Sources> ReadSubmission(const fs::path& submission, const std::string& assignment) {
  auto sources = compile::ReadSources({.submission = submission, .headers = {}});
  if (sources && sources->files.size() == 1 && sources->kernels.size() == 1) {
    sources->files.front().name = sources->kernels.front() = assignment + ".cu";
  }
  return sources;
}

std::string DigestOf(const compile::Sources& sources) {
  std::vector<std::string_view> parts;
  for (const compile::SourceFile& file : sources.files) {
    parts.push_back(file.name);
    parts.push_back(file.bytes);
  }
  return Sha256(parts);
}

Result<fs::path> Stage(const compile::Sources& sources, const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  for (const compile::SourceFile& file : sources.files) {
    const fs::path path = folder / file.name;
    fs::create_directories(path.parent_path(), error);
    if (error) return Fail(fmt::format("cannot make {}: {}", folder.string(), error.message()));
    WARPCHECK_TRY(WriteFile(path, file.bytes));
  }
  return sources.files.size() == 1 ? folder / sources.files.front().name : folder;
}

}  // namespace warpcheck::batch
