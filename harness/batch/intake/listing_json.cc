#include "batch/intake/listing_json.h"

#include <fmt/format.h>

#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "base/json/record.h"
#include "batch/course/student_names.h"
#include "batch/intake/file_names.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMaxShownBytes = 4'000;

std::string Bounded(const std::string& text) {
  return Readable(std::string_view(text).substr(0, kMaxShownBytes));
}

[[noreturn]] void Reject(const std::string& why) { throw std::runtime_error(why); }

// Rejects a path that UnpackHere would not have listed. A folder's name ends with '/'.
void ExpectPath(std::string_view name) {
  if (name.ends_with('/')) name.remove_suffix(1);
  if (!WhyPathRefused(name).empty()) Reject("a path leads out of the archive");
}

// Rejects contents that are not a plain file in `folder`. A symbolic or hard link could show a file
// that the archive does not contain.
void ExpectContents(const File& file, const fs::path& folder) {
  const std::string number = file.contents.filename().string();
  if (file.contents != folder / number || number.empty() ||
      number.find_first_not_of("0123456789") != std::string::npos) {
    Reject("a file lies outside of the folder");
  }
  if (!fs::is_regular_file(fs::symlink_status(file.contents)) ||
      fs::hard_link_count(file.contents) != 1) {
    Reject("an entry is not a plain file");
  }
  if (fs::file_size(file.contents) > MaxBytes(file.name)) Reject("a file is too large");
}

File FileFrom(const json& object, const fs::path& folder) {
  File file{.name = StringField(object, "name"),
            .contents = StringField(object, "contents"),
            .problem = Bounded(StringField(object, "problem"))};
  ExpectPath(file.name);
  if (!file.contents.empty()) ExpectContents(file, folder);
  return file;
}

}  // namespace

std::string ListingText(const Result<Listing>& listing) {
  json text = json::object();
  if (!listing) {
    text["error"] = listing.error().message;
  } else {
    json& files = text["files"] = json::array();
    for (const File& file : listing->files) {
      files.push_back(
          {{"name", file.name}, {"contents", file.contents.string()}, {"problem", file.problem}});
    }
    text["rejected"] = ValueToJson(listing->rejected);
  }
  return JsonText(text);
}

Result<Listing> ListingFrom(std::string_view text, const fs::path& folder) {
  try {
    const json object = ParseJson(text);
    if (object.contains("error")) return Fail(Bounded(StringField(object, "error")));
    Listing listing;
    for (const json& file : ArrayField(object, "files")) {
      listing.files.push_back(FileFrom(file, folder));
    }
    listing.rejected = ValueFromJson<std::vector<Excluded>>(Field(object, "rejected"), "rejected");
    for (Excluded& one : listing.rejected) {
      one = {.what = Bounded(one.what), .reason = Bounded(one.reason)};
    }
    return listing;
  } catch (const std::exception& exception) {
    return Fail(fmt::format("is malformed ({})", Bounded(exception.what())));
  }
}

}  // namespace warpcheck::batch
