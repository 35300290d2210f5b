// Cache keeps the outcomes of compilations on disk, by their content. An entry is a folder
// <cache>/<aa>/<key> that appears in one step and never changes, except that its time is that of
// its last use. Several processes may share a cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/scratch_folder.h"
#include "compile/outcome.h"

namespace warpcheck::compile {

class Cache {
 public:
  Cache(std::filesystem::path folder, std::uint64_t max_bytes);

  // Returns nothing if the entry is missing or damaged; a damaged entry is removed.
  std::optional<Outcome> Find(const std::string& key) const;

  // Removes the entry, if it exists.
  void Remove(const std::string& key) const;

  // Makes a new private folder on the cache's file system, in which an entry can be prepared. Fails
  // if the cache cannot be written.
  Result<ScratchFolder> MakeScratch() const;

  // Fails if no file of some megabytes, the size of a compiler's output, can be written there: the
  // disk or a quota is full, or the file system is read-only.
  Result<> HasRoom() const;

  // Stores the outcome: copies its object into the folder `scratch`, which becomes the entry, and
  // limits the cache's size. Returns the outcome that the cache then has. This is the outcome of
  // another process, if that process has stored one meanwhile.
  Result<Outcome> Store(const std::string& key, Outcome outcome,
                        const std::filesystem::path& scratch) const;

 private:
  std::filesystem::path EntryOf(const std::string& key) const;
  // Removes the entries that were unused for longest until the rest fits. It keeps entries that
  // were used within the last hour, because a grading may still use them.
  void Evict() const;

  std::filesystem::path folder_;
  std::uint64_t max_bytes_;
};

inline constexpr char kObjectName[] = "submission.so";

// Removes the folders that this process has begun in a cache and not finished. A program calls it
// if it must end at once.
void RemoveScratch(const std::filesystem::path& cache);

}  // namespace warpcheck::compile
