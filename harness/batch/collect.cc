#include "batch/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/files.h"
#include "base/hash.h"
#include "batch/names.h"
#include "compile/sources.h"

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

namespace {

constexpr int kMaxNesting = 3;
constexpr std::size_t kMaxNamed = 5;

std::string Holds(const std::vector<File>& files) {
  std::string text;
  std::size_t named = 0;
  for (const File& file : files) {
    if (file.name.ends_with('/') || file.name == ".git") continue;
    if (++named > kMaxNamed) return text + ", ...";
    text += (named == 1 ? "it holds " : ", ") + file.name;
  }
  return named == 0 ? "it is empty" : text;
}

// The files of a hand-in, or of the archive that takes their place.
Result<std::vector<File>> Opened(std::vector<File> files, const fs::path& unpacked, int depth) {
  for (const File& file : files) {
    if (!file.objection.empty()) return Fail(fmt::format("{} {}", file.name, file.objection));
  }
  const auto is_kernel = [](const File& file) { return IsKernel(file.name); };
  if (std::ranges::any_of(files, is_kernel)) return files;
  const auto is_archive = [](const File& file) { return IsArchive(file.name); };
  const auto archives = std::ranges::count_if(files, is_archive);
  if (archives == 0) return Fail(fmt::format("has no .cu file: {}", Holds(files)));
  if (archives > 1) {
    return Fail(fmt::format("has {} archives and no .cu file: leave one", archives));
  }
  const File& file = *std::ranges::find_if(files, is_archive);
  if (depth == kMaxNesting) {
    return Fail(fmt::format("{} lies more than {} archives deep", file.name, kMaxNesting));
  }
  auto listing = Unpack(file.contents, unpacked / std::to_string(depth), kHandInLimits);
  if (!listing) return Fail(fmt::format("{} {}", file.name, listing.error().message));
  if (!listing->unplaceable.empty()) {
    const Excluded& first = listing->unplaceable.front();
    return Fail(fmt::format("{} holds {}: {}", file.name, first.what, first.reason));
  }
  return Opened(std::move(listing->files), unpacked, depth + 1);
}

// nvcc knows a kernel by its small letters.
std::string NameInFolder(const std::string& name) {
  return IsKernel(name) ? name.substr(0, name.size() - 3) + ".cu" : name;
}

}  // namespace

Result<fs::path> Collect(const HandIn& hand_in, const fs::path& folder, const fs::path& unpacked) {
  const auto files = WARPCHECK_TRY(Opened(hand_in.files, unpacked, 0));
  std::error_code failure;
  fs::path only;
  std::size_t copied = 0;
  for (const File& file : files) {
    if (!IsSource(file.name)) continue;
    const fs::path target = folder / NameInFolder(file.name);
    fs::create_directories(target.parent_path(), failure);
    if (!failure) fs::copy_file(file.contents, target, failure);
    if (failure) return Fail(fmt::format("{} cannot be copied: {}", file.name, failure.message()));
    if (++copied == 1) only = target;
  }
  compile::Request request;
  request.submission = copied == 1 ? only : folder;
  if (const auto sources = compile::ReadSources(request); !sources) {
    return Fail(sources.error().message);
  }
  return request.submission;
}

}  // namespace warpcheck::batch
