#include "batch/submission_digest.h"

#include <fmt/format.h>

#include "base/files.h"
#include "build/sha256.h"

namespace warpcheck::batch {

namespace fs = std::filesystem;

Result<build::Sources> ReadSubmission(const fs::path& submission, const std::string& assignment) {
  auto sources = build::ReadSources({.submission = submission, .headers = {}});
  if (sources && sources->files.size() == 1 && sources->kernels.size() == 1) {
    sources->files.front().name = sources->kernels.front() = assignment + ".cu";
  }
  return sources;
}

std::string DigestOf(const build::Sources& sources) {
  std::vector<std::string_view> parts;
  for (const build::SourceFile& file : sources.files) {
    parts.push_back(file.name);
    parts.push_back(file.bytes);
  }
  return build::Sha256(parts);
}

Result<fs::path> Stage(const build::Sources& sources, const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  for (const build::SourceFile& file : sources.files) {
    const fs::path path = folder / file.name;
    fs::create_directories(path.parent_path(), error);
    if (error) return Fail(fmt::format("cannot make {}: {}", folder.string(), error.message()));
    if (auto written = WriteFile(path, file.bytes); !written) return Fail(written.error());
  }
  return sources.files.size() == 1 ? folder / sources.files.front().name : folder;
}

}  // namespace warpcheck::batch
