#include "lab/run/kernel_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/scratch_folder.h"

namespace warpcheck::lab {
namespace {

namespace fs = std::filesystem;

// The time that an entry counts as in use after its last use. A lab reads an entry at once.
constexpr std::chrono::hours kInUse{1};

}  // namespace

Result<fs::path> KernelCache::FindOrMake(
    const std::string& key, const std::function<Result<>(const fs::path& folder)>& make) const {
  const fs::path entry = folder_ / key;
  std::error_code error;
  if (fs::is_directory(entry, error)) {
    fs::last_write_time(entry, fs::file_time_type::clock::now(), error);
    return entry;
  }
  const auto scratch = WARPCHECK_TRY(ScratchFolder::MakeIn(
      folder_, "new.", "set WARPCHECK_CACHE to a folder that can be written"));
  WARPCHECK_TRY(make(scratch.path()));
  fs::rename(scratch.path(), entry, error);
  // Another run may have made the same entry meanwhile.
  if (error && !fs::is_directory(entry)) {
    return Fail(fmt::format("cannot keep the kernels in {}: {}", entry.string(), error.message()));
  }
  Evict();
  return entry;
}

// A folder that a killed process has left counts as an entry, and so is removed in its turn.
void KernelCache::Evict() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  std::error_code error;
  for (const auto& each : fs::directory_iterator(folder_, error)) {
    entries.emplace_back(each.last_write_time(error), each.path());
  }
  std::ranges::sort(entries);
  const auto in_use = fs::file_time_type::clock::now() - kInUse;
  for (std::size_t i = 0; i + most_ < entries.size(); ++i) {
    if (entries[i].first > in_use) return;
    fs::remove_all(entries[i].second, error);
  }
}

}  // namespace warpcheck::lab
