#include "compile/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/check.h"
#include "base/descriptor.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json/record.h"

namespace warpcheck::compile {
namespace {

namespace fs = std::filesystem;

// The time that an entry counts as in use after its last use. A process uses an entry from Find()
// to the end of a grading, which takes minutes.
constexpr std::chrono::hours kInUse{1};
constexpr char kManifest[] = "manifest.json";

// The description that an entry keeps beside its object.
struct Manifest {
  Outcome outcome;
  std::string object;  // the hash of the object's bytes; empty if there is no object
};
WARPCHECK_FIELDS(Manifest, outcome, object);

std::string Described(const Manifest& manifest) {
  const std::string body = JsonText(ToJson(manifest));
  return Sha256({body}) + "\n" + body;
}

std::optional<Outcome> ReadEntry(const fs::path& entry) try {
  const auto text = ReadFile(entry / kManifest);
  if (!text || text->size() < 65) return std::nullopt;
  const std::string body = text->substr(65);
  if (Sha256({body}) != text->substr(0, 64)) return std::nullopt;
  auto [outcome, hash] = FromJson<Manifest>(ParseJson(body));
  if (outcome.artifact) {
    const auto object = ReadFile(entry / kObjectName);
    if (!object || Sha256({*object}) != hash) return std::nullopt;
    outcome.artifact->shared_object = entry / kObjectName;
    outcome.artifact->from_cache = true;
  }
  return std::move(outcome);
} catch (const std::exception&) {
  return std::nullopt;  // another version wrote the entry
}

std::string ScratchPrefix() { return fmt::format("new-{}-", ::getpid()); }

}  // namespace

void RemoveScratch(const fs::path& cache) {
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(cache, failure)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(ScratchPrefix())) fs::remove_all(entry.path(), failure);
  }
}

Cache::Cache(fs::path folder, std::uint64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes) {}

fs::path Cache::EntryOf(const std::string& key) const { return folder_ / key.substr(0, 2) / key; }

std::optional<Outcome> Cache::Find(const std::string& key) const {
  const fs::path entry = EntryOf(key);
  std::error_code ignored;
  if (!fs::exists(entry, ignored)) return std::nullopt;
  auto outcome = ReadEntry(entry);
  if (!outcome) fs::remove_all(entry, ignored);
  if (outcome) fs::last_write_time(entry, fs::file_time_type::clock::now(), ignored);
  return outcome;
}

void Cache::Remove(const std::string& key) const {
  std::error_code ignored;
  fs::remove_all(EntryOf(key), ignored);
}

Result<ScratchFolder> Cache::MakeScratch() const {
  auto scratch = ScratchFolder::MakeIn(folder_, ScratchPrefix(),
                                       "make the folder writable, or choose another cache");
  std::error_code ignored;
  if (scratch) fs::permissions(scratch->path(), fs::perms(0755), ignored);
  return scratch;
}

Result<> Cache::HasRoom() const {
  constexpr ::off_t kBytes = 16 << 20;
  const auto scratch = WARPCHECK_TRY(MakeScratch());
  const Descriptor file(
      ::open((scratch.path() / "probe").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  const int error = file.get() < 0 ? errno : ::posix_fallocate(file.get(), 0, kBytes);
  if (error == 0) return {};
  return Fail(fmt::format("cannot write {} MiB to {}: {}", kBytes >> 20, folder_.string(),
                          std::strerror(error)),
              {}, "make room there, or set WARPCHECK_CACHE to another folder");
}

Result<Outcome> Cache::Store(const std::string& key, Outcome outcome,
                             const fs::path& scratch) const {
  const fs::path entry = EntryOf(key);
  std::string hash;
  if (outcome.artifact) {
    const auto object = WARPCHECK_TRY(ReadFile(outcome.artifact->shared_object));
    WARPCHECK_TRY(WriteFile(scratch / kObjectName, object));
    hash = Sha256({object});
    std::error_code ignored;
    fs::permissions(scratch / kObjectName, fs::perms(0755), ignored);
    outcome.artifact->shared_object = entry / kObjectName;
  }
  WARPCHECK_TRY(WriteFile(scratch / kManifest, Described({.outcome = outcome, .object = hash})));
  std::error_code failure;
  fs::create_directories(entry.parent_path(), failure);
  fs::rename(scratch, entry, failure);
  if (failure) {
    // Another process stored the entry first, and its entry is used as a whole. nvcc gives a
    // kernel's variables other names in each compilation, so ptxas's figures for our PTX do not fit
    // another object.
    auto first = ReadEntry(entry);
    if (!first) return Fail(fmt::format("cannot store {}: {}", entry.string(), failure.message()));
    outcome = *std::move(first);
    if (outcome.artifact) outcome.artifact->from_cache = false;
  }
  Evict();
  return outcome;
}

void Cache::Evict() const {
  struct Entry {
    fs::file_time_type used;
    std::uint64_t bytes = 0;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code failure;
  const auto in_use = fs::file_time_type::clock::now() - kInUse;
  for (const auto& group : fs::directory_iterator(folder_, failure)) {
    const std::string name = group.path().filename().string();
    if (name.starts_with("new-") && fs::last_write_time(group.path(), failure) < in_use) {
      fs::remove_all(group.path(), failure);  // a killed process has left it
    }
    if (name.size() != 2) continue;
    for (const auto& at : fs::directory_iterator(group.path(), failure)) {
      Entry entry = {fs::last_write_time(at.path(), failure), 0, at.path()};
      for (const auto& file : fs::directory_iterator(at.path(), failure)) {
        const auto size = file.file_size(failure);
        if (!failure) entry.bytes += size;
      }
      total += entry.bytes;
      entries.push_back(std::move(entry));
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= max_bytes_ || entry.used > in_use) return;
    fs::remove_all(entry.path, failure);
    total -= entry.bytes;
  }
}

}  // namespace warpcheck::compile
