#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "batch/files.h"
#include "sandbox/confined_run.h"
#include "sandbox/descriptor.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;
constexpr std::uint64_t kBytesASecond = std::uint64_t{8} << 20;  // far below what any machine does
constexpr std::size_t kMaxListing = std::size_t{512} << 20;

// Names and complaints are UTF-8 (Unpack refuses others); a damaged character becomes a mark.
std::string TextOf(const Result<Listing>& listing) {
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
    json& unplaceable = text["unplaceable"] = json::array();
    for (const Excluded& one : listing->unplaceable) {
      unplaceable.push_back({{"what", one.what}, {"reason", one.reason}});
    }
  }
  return text.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Listing> ListingFrom(const std::string& text) {
  const json object = json::parse(text, nullptr, false);
  if (object.is_discarded()) return Fail("cannot be read");
  if (object.contains("error")) return Fail(StringField(object, "error"));
  Listing listing;
  for (const json& file : ArrayField(object, "files")) {
    listing.files.push_back({.name = StringField(file, "name"),
                             .contents = StringField(file, "contents"),
                             .objection = StringField(file, "objection")});
  }
  for (const json& one : ArrayField(object, "unplaceable")) {
    listing.unplaceable.push_back(
        {.what = StringField(one, "what"), .reason = StringField(one, "reason")});
  }
  return listing;
}

}  // namespace

Result<Listing> Unpack(const fs::path& archive, const fs::path& folder,
                       const UnpackLimits& limits) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    return Fail(fmt::format("cannot make {}: {}", folder.string(), failure.message()));
  }
  // Opened here: whose file it is may matter no more once rights are given up.
  const sandbox::Descriptor file(::open(archive.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return Fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
  const sandbox::ConfinedRun run = {
      .confinement = {.readable = {}, .writable = {folder}, .memory_bytes = kMostMemory},
      .cpu_limit = std::chrono::seconds(60 + limits.bytes / kBytesASecond),
      .max_result = kMaxListing,
      .kept = {file.get()}};
  return sandbox::RunConfined(run,
                              [&] {
                                // A second try begins where the first did.
                                ::lseek(file.get(), 0, SEEK_SET);
                                return TextOf(UnpackHere(file.get(), folder, limits));
                              })
      .and_then(ListingFrom);
}

}  // namespace warpcheck::batch
