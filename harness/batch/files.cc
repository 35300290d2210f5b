#include "batch/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "base/json_record.h"
#include "base/utf8.h"
#include "batch/names.h"

namespace warpcheck::batch {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::uint64_t kMaxSourceBytes = 1'000'000;
constexpr std::uint64_t kMaxArchiveBytes = 64'000'000;
constexpr std::uint64_t kMaxListBytes = 256'000'000;  // holds what every autograder printed
constexpr std::size_t kMaxFiles = 200'000;
constexpr std::string_view kRepository = "/.git";

// The name without what follows a part that is clutter; empty where nothing of it is to be kept.
std::string Kept(const std::string& name) {
  for (std::size_t start = 0; start < name.size();) {
    const std::size_t end = std::min(name.find('/', start), name.size());
    const std::string_view part = std::string_view(name).substr(start, end - start);
    if (IsClutter(part)) {
      const bool mark = part == ".git" && start > 0 && name.find('/') == start - 1;
      return mark ? name.substr(0, end) : "";
    }
    start = end + 1;
  }
  return name;
}

std::string ObjectionTo(const fs::directory_entry& entry, const fs::file_status& status) {
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

void Tidy(std::vector<File>& files) {
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
    if (is_folder && IsClutter(at->path().filename().string())) at.disable_recursion_pending();
    if (!IsUtf8(name)) {
      listing.unplaceable.push_back({Shown(name), "its name is not UTF-8: rename it"});
      if (is_folder) at.disable_recursion_pending();
      continue;
    }
    if (is_folder && at->path().filename() != ".git") {
      if (at.depth() == 0) listing.files.push_back({.name = name + "/"});
      continue;
    }
    File& file = listing.files.emplace_back(File{.name = name});
    if (is_folder) continue;
    file.objection = ObjectionTo(*at, status);
    if (MaxBytes(name) > 0 && file.objection.empty()) file.contents = at->path();
    if (listing.files.size() > kMaxFiles) {
      return Fail(fmt::format("{} has more than {} files", folder.string(), kMaxFiles), {},
                  "is it the folder of the submissions?");
    }
  }
  if (failure) {
    return Fail(fmt::format("cannot list {}: {}", folder.string(), failure.message()));
  }
  Tidy(listing.files);
  return listing;
}

namespace {

constexpr std::size_t kMostTextBytes = 4'000;

std::string ForPeople(const std::string& text) {
  return Shown(std::string_view(text).substr(0, kMostTextBytes));
}

[[noreturn]] void Astray(const std::string& what) { throw std::runtime_error(what); }

// Of a name that is listed: without the '/' at the end of a folder's.
void ExpectPath(std::string_view name) {
  if (name.ends_with('/')) name.remove_suffix(1);
  if (!ObjectionToPath(name).empty()) Astray("a path leads elsewhere");
}

// Links of either kind would show what is not the archive's.
void ExpectContents(const File& file, const fs::path& folder) {
  const std::string number = file.contents.filename().string();
  if (file.contents != folder / number || number.empty() ||
      number.find_first_not_of("0123456789") != std::string::npos) {
    Astray("its bytes would be elsewhere");
  }
  if (!fs::is_regular_file(fs::symlink_status(file.contents)) ||
      fs::hard_link_count(file.contents) != 1) {
    Astray("its bytes are no plain file");
  }
  if (fs::file_size(file.contents) > MaxBytes(file.name)) Astray("a file is too large");
}

File FileFrom(const json& object, const fs::path& folder) {
  File file{.name = StringField(object, "name"),
            .contents = StringField(object, "contents"),
            .objection = ForPeople(StringField(object, "objection"))};
  ExpectPath(file.name);
  if (!file.contents.empty()) ExpectContents(file, folder);
  return file;
}

}  // namespace

// A damaged character becomes a mark: UnpackHere lists none.
std::string ListingText(const Result<Listing>& listing) {
  json text = json::object();
  if (!listing) {
    text["error"] = listing.error().message;
  } else {
    json& files = text["files"] = json::array();
    for (const File& file : listing->files) {
      files.push_back({{"name", file.name},
                       {"contents", file.contents.string()},
                       {"objection", file.objection}});
    }
    text["unplaceable"] = ValueToJson(listing->unplaceable);
  }
  return JsonText(text);
}

Result<Listing> ListingFrom(std::string_view text, const fs::path& folder) {
  try {
    const json object = json::parse(text);
    if (object.contains("error")) return Fail(ForPeople(StringField(object, "error")));
    Listing listing;
    for (const json& file : ArrayField(object, "files")) {
      listing.files.push_back(FileFrom(file, folder));
    }
    listing.unplaceable =
        ValueFromJson<std::vector<Excluded>>(Field(object, "unplaceable"), "unplaceable");
    for (Excluded& one : listing.unplaceable) {
      one = {.what = ForPeople(one.what), .reason = ForPeople(one.reason)};
    }
    return listing;
  } catch (const std::exception& exception) {
    return Fail(fmt::format("leads what reads it astray ({})", ForPeople(exception.what())));
  }
}

}  // namespace warpcheck::batch
