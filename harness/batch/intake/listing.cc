#include "batch/intake/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/text/utf8.h"
#include "batch/course/student_names.h"
#include "batch/intake/file_names.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxSourceBytes = 1'000'000;
constexpr std::uint64_t kMaxArchiveBytes = 64'000'000;
// Gradescope's list contains the output of each autograder.
constexpr std::uint64_t kMaxListBytes = 256'000'000;
constexpr std::size_t kMaxFiles = 200'000;
constexpr std::string_view kRepository = "/.git";

// Returns the part of the name that is kept: the whole name of a file that is not ignored,
// "name/.git" for a file of a repository, and an empty text for any other ignored file.
std::string Kept(const std::string& name) {
  for (std::size_t start = 0; start < name.size();) {
    const std::size_t end = std::min(name.find('/', start), name.size());
    const std::string_view part = std::string_view(name).substr(start, end - start);
    if (IsIgnored(part)) {
      const bool mark = part == ".git" && start > 0 && name.find('/') == start - 1;
      return mark ? name.substr(0, end) : "";
    }
    start = end + 1;
  }
  return name;
}

std::string ProblemWith(const fs::directory_entry& entry, const fs::file_status& status) {
  std::error_code failure;
  if (fs::is_symlink(status)) return "is a symbolic link: put the file itself there";
  if (!fs::is_regular_file(status)) return "is neither a file nor a folder";
  const std::uint64_t most = MaxBytes(entry.path().filename().string());
  const std::uint64_t size = entry.file_size(failure);
  if (failure) return "cannot be examined: " + failure.message();
  if (most > 0 && size > most) return fmt::format("is larger than {} bytes", most);
  return {};
}

}  // namespace

std::uint64_t MaxBytes(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('/') + 1);
  if (last == kGradescopeList) return kMaxListBytes;
  if (IsSource(name)) return kMaxSourceBytes;
  return IsArchive(name) ? kMaxArchiveBytes : 0;
}

void SortAndFilter(std::vector<File>& files) {
  for (File& file : files) {
    std::string kept = Kept(file.name);
    if (kept.ends_with(kRepository)) file = {.name = kept};
    file.name = std::move(kept);
  }
  std::erase_if(files, [](const File& file) { return file.name.empty(); });
  std::ranges::sort(files, {}, &File::name);
  const auto end = std::unique(files.begin(), files.end(), [](const File& a, const File& b) {
    return a.name == b.name && (a.name.ends_with(kRepository) || a.name.ends_with('/'));
  });
  files.erase(end, files.end());
}

Result<Listing> ListFolder(const fs::path& folder) {
  Listing listing;
  std::error_code failure;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                      failure);
  for (; !failure && at != fs::recursive_directory_iterator(); at.increment(failure)) {
    const std::string name = at->path().lexically_relative(folder).generic_string();
    const fs::file_status status = at->symlink_status(failure);
    if (failure) break;
    const bool is_folder = fs::is_directory(status);
    if (is_folder && IsIgnored(at->path().filename().string())) at.disable_recursion_pending();
    if (!IsUtf8(name)) {
      listing.rejected.push_back({Readable(name), "its name is not UTF-8: rename it"});
      if (is_folder) at.disable_recursion_pending();
      continue;
    }
    if (is_folder && at->path().filename() != ".git") {
      if (at.depth() == 0) listing.files.push_back({.name = name + "/"});
      continue;
    }
    File& file = listing.files.emplace_back(File{.name = name});
    if (is_folder) continue;
    file.problem = ProblemWith(*at, status);
    if (MaxBytes(name) > 0 && file.problem.empty()) file.contents = at->path();
    if (listing.files.size() > kMaxFiles) {
      return Fail(fmt::format("{} has more than {} files", folder.string(), kMaxFiles), {},
                  "is it the folder of the submissions?");
    }
  }
  if (failure) {
    return Fail(fmt::format("cannot list {}: {}", folder.string(), failure.message()));
  }
  SortAndFilter(listing.files);
  return listing;
}

}  // namespace warpcheck::batch
