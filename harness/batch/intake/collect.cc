#include "batch/intake/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "batch/intake/file_names.h"
#include "batch/intake/unpack.h"
#include "compile/source/sources.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;

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

// Returns the files if one of them is a .cu file. Otherwise returns the files of the archive among
// them, if there is exactly one.
Result<std::vector<File>> Opened(std::vector<File> files, const fs::path& unpacked, int depth) {
  for (const File& file : files) {
    if (!file.problem.empty()) return Fail(fmt::format("{} {}", file.name, file.problem));
  }
  const auto is_kernel = [](const File& file) { return IsKernel(file.name); };
  if (std::ranges::any_of(files, is_kernel)) return files;
  const auto is_archive = [](const File& file) { return IsArchive(file.name); };
  const auto archives = std::ranges::count_if(files, is_archive);
  if (archives == 0) return Fail(fmt::format("has no .cu file: {}", Holds(files)));
  if (archives > 1) {
    return Fail(fmt::format("has {} archives and no .cu file: leave only one", archives));
  }
  const File& file = *std::ranges::find_if(files, is_archive);
  if (depth == kMaxNesting) {
    return Fail(
        fmt::format("{} lies in more than {} archives inside each other", file.name, kMaxNesting));
  }
  auto listing = Unpack(file.contents, unpacked / std::to_string(depth), kHandInLimits);
  if (!listing) return Fail(fmt::format("{} {}", file.name, listing.error().message));
  if (!listing->rejected.empty()) {
    const Excluded& first = listing->rejected.front();
    return Fail(fmt::format("{} holds {}: {}", file.name, first.what, first.reason));
  }
  return Opened(std::move(listing->files), unpacked, depth + 1);
}

// nvcc accepts only a lower-case extension for a kernel.
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
