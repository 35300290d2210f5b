#include <fmt/format.h>

#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "base/json_fields.h"
#include "batch/files.h"
#include "batch/names.h"
#include "batch/roster_json.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMaxTextBytes = 4'000;

std::string ForPeople(const std::string& text) {
  return Shown(std::string_view(text).substr(0, kMaxTextBytes));
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
    text["unplaceable"] = ToJson(listing->unplaceable);
  }
  return text.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Listing> ListingFrom(std::string_view text, const fs::path& folder) {
  try {
    const json object = json::parse(text);
    if (object.contains("error")) return Fail(ForPeople(StringField(object, "error")));
    Listing listing;
    for (const json& file : ArrayField(object, "files")) {
      listing.files.push_back(FileFrom(file, folder));
    }
    listing.unplaceable = ExcludedFrom(ArrayField(object, "unplaceable"));
    for (Excluded& one : listing.unplaceable) {
      one = {.what = ForPeople(one.what), .reason = ForPeople(one.reason)};
    }
    return listing;
  } catch (const std::exception& exception) {
    return Fail(fmt::format("leads what reads it astray ({})", ForPeople(exception.what())));
  }
}

}  // namespace warpcheck::batch
