#include "batch/roster.h"

#include <fmt/format.h>

#include <algorithm>

#include "build/sources.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;

bool SafeId(const std::string& id) {
  return !id.empty() && id != "." && id != ".." && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

}  // namespace

Result<Roster> ReadRoster(const fs::path& source, const fs::path& /*scratch*/) {
  std::error_code failure;
  Roster roster;
  for (fs::directory_iterator at(source, failure); !failure && at != fs::directory_iterator();
       at.increment(failure)) {
    const bool folder = at->is_directory(failure) && !at->is_symlink(failure);
    if (at->path().filename().string().starts_with('.')) continue;
    if (!folder && at->path().extension() != ".cu") continue;
    Entry entry;
    entry.name = (folder ? at->path().filename() : at->path().stem()).string();
    entry.id = entry.name;
    entry.submission = at->path();
    build::Request request;
    request.submission = at->path();
    if (const auto sources = build::ReadSources(request); !sources) {
      roster.refused.push_back({entry.name, sources.error().message});
    } else if (!SafeId(entry.id)) {
      roster.refused.push_back({entry.name, "its name cannot be a file's name everywhere"});
    } else {
      roster.entries.push_back(std::move(entry));
    }
  }
  if (failure) {
    return Fail(fmt::format("cannot list {}: {}", source.string(), failure.message()));
  }
  std::ranges::sort(roster.entries, {}, &Entry::id);
  if (roster.entries.empty()) {
    return Fail(fmt::format("{} has no submission", source.string()), {},
                "expected one folder or one .cu file a student");
  }
  return roster;
}

}  // namespace warpcheck::batch
