#include "compile/source/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/files.h"

namespace warpcheck::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFileBytes = 1'000'000;
constexpr std::size_t kMaxBytes = 8'000'000;
constexpr std::size_t kMaxFiles = 64;

// Returns true if the name is safe to pass: nvcc gives names to a shell between quotation marks.
bool PlainName(const std::string& name) {
  return std::none_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f ||
           std::string_view("\"\\$`").find(c) != std::string_view::npos;
  });
}

// Fails for source files in UTF-16, which some editors save and no C++ compiler reads. Other files
// may contain any bytes.
Result<> RefuseOtherText(const std::string& name, std::string_view bytes) {
  constexpr std::string_view kSources[] = {".cu", ".cuh", ".h", ".hpp", ".cpp", ".cc", ".inl"};
  const bool source = std::ranges::any_of(
      kSources, [&](std::string_view suffix) { return name.ends_with(suffix); });
  if (!source || bytes.find('\0') == std::string_view::npos) return {};
  const bool wide =
      bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff") ||
      2 * static_cast<std::size_t>(std::ranges::count(bytes, '\0')) + 2 >= bytes.size();
  return Fail(wide ? fmt::format("{} is written in UTF-16, which compilers do not read", name)
                   : fmt::format("{} has null bytes: it is not a text file", name),
              {}, "save it as UTF-8: most editors offer the encoding in their Save As dialog");
}

Result<> AddFile(Sources& sources, const fs::path& path, const std::string& name) {
  if (!PlainName(name)) {
    return Fail("a file's name has a control character or one of \" \\ $ `", {},
                "rename it: letters, digits, spaces, '_', '-' and '.' are fine");
  }
  std::error_code failure;
  const fs::file_status status = fs::symlink_status(path, failure);
  if (!fs::exists(status)) return Fail(fmt::format("there is no file {}", path.string()));
  if (fs::is_symlink(status)) {
    return Fail(fmt::format("{} is a symbolic link", path.string()), {}, "submit the file itself");
  }
  if (!fs::is_regular_file(status)) {
    return Fail(fmt::format("{} is not a regular file", path.string()));
  }
  auto bytes = WARPCHECK_TRY(ReadFile(path, kMaxFileBytes));
  WARPCHECK_TRY(RefuseOtherText(name, bytes));
  const auto same = [&](const SourceFile& file) { return file.name == name; };
  const auto known = std::find_if(sources.files.begin(), sources.files.end(), same);
  if (known != sources.files.end()) {
    known->bytes = std::move(bytes);  // the assignment's header replaces the submission's copy
  } else {
    sources.files.push_back({name, std::move(bytes)});
  }
  if (sources.files.size() > kMaxFiles) {
    return Fail(fmt::format("the submission has more than {} files", kMaxFiles));
  }
  return {};
}

std::string Listing(const Sources& sources) {
  if (sources.files.empty()) return "it is empty";
  std::string text = "it holds";
  for (std::size_t i = 0; i < std::min<std::size_t>(sources.files.size(), 8); ++i) {
    text += (i == 0 ? " " : ", ") + sources.files[i].name;
  }
  return text + (sources.files.size() > 8 ? ", ..." : "");
}

Result<> AddFolder(Sources& sources, const fs::path& folder) {
  std::error_code failure;
  std::size_t seen = 0;
  fs::recursive_directory_iterator at(folder, failure);
  for (; !failure && at != fs::recursive_directory_iterator(); at.increment(failure)) {
    const std::string name = at->path().lexically_relative(folder).generic_string();
    if (++seen > 16 * kMaxFiles) return Fail("the submission has too many files and folders");
    if (at->is_directory(failure) && !at->is_symlink(failure)) {
      if (at->path().filename().string().starts_with('.')) at.disable_recursion_pending();
      continue;
    }
    if (at->path().filename().string().starts_with('.')) continue;
    WARPCHECK_TRY(AddFile(sources, at->path(), name));
  }
  if (failure) {
    return Fail(fmt::format("cannot list {}: {}", folder.string(), failure.message()));
  }
  return {};
}

// Fails if two .cu files have the same base name, because nvcc names its intermediate files by it.
// Often one of the two is an older version.
Result<> RefuseTwins(const std::vector<std::string>& kernels) {
  std::map<std::string, std::string> known;
  for (const std::string& name : kernels) {
    const auto [first, is_new] = known.try_emplace(fs::path(name).filename().string(), name);
    if (is_new) continue;
    return Fail(fmt::format("two files are named {}: {} and {}", first->first, first->second, name),
                {}, "all .cu files are compiled together: leave one out, or rename it");
  }
  return {};
}

}  // namespace

Result<Sources> ReadSources(const Request& request) {
  Sources sources;
  const fs::path& submission = request.submission;
  std::error_code failure;
  const bool folder = fs::is_directory(submission, failure);
  WARPCHECK_TRY(folder ? AddFolder(sources, submission)
                       : AddFile(sources, submission, submission.filename().string()));
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::sort(sources.files.begin(), sources.files.end(), by_name);
  for (const SourceFile& file : sources.files) {
    if (!folder || file.name.ends_with(".cu")) sources.kernels.push_back(file.name);
  }
  if (!folder && !submission.string().ends_with(".cu")) {
    return Fail(fmt::format("{} is not a .cu file", submission.string()));
  }
  if (sources.kernels.empty()) {
    return Fail(fmt::format("{} has no .cu file: {}", submission.string(), Listing(sources)));
  }
  WARPCHECK_TRY(RefuseTwins(sources.kernels));
  for (const fs::path& header : request.headers) {
    WARPCHECK_TRY(AddFile(sources, header, header.filename().string()));
  }
  std::sort(sources.files.begin(), sources.files.end(), by_name);
  std::size_t total = 0;
  for (const SourceFile& file : sources.files) total += file.bytes.size();
  if (total > kMaxBytes)
    return Fail(fmt::format("the submission is larger than {} bytes", kMaxBytes));
  return sources;
}

Result<> WriteSources(const Sources& sources, const fs::path& folder) {
  for (const SourceFile& file : sources.files) {
    const fs::path path = folder / file.name;
    std::error_code failure;
    fs::create_directories(path.parent_path(), failure);
    WARPCHECK_TRY(WriteFile(path, file.bytes));
    fs::permissions(path, fs::perms(0644), failure);
  }
  return {};
}

}  // namespace warpcheck::compile
