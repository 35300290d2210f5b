// Finished compilations by content. An entry is a folder <cache>/<aa>/<key> that appears in one
// step and never changes but for the time of its folder, which is that of its last use; several
// processes may share a cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/scratch_folder.h"
#include "compile/builder.h"

namespace warpcheck::compile {

class Cache {
 public:
  Cache(std::filesystem::path folder, std::uint64_t max_bytes);

  // Nothing if the entry is missing, or damaged: then it is removed.
  std::optional<Outcome> Find(const std::string& key) const;

  // Forgets the entry, if there is one.
  void Remove(const std::string& key) const;

  // A new private folder, on the cache's file system, to make an entry in. Fails where the cache
  // cannot be written.
  Result<ScratchFolder> MakeScratch() const;

  // Fails where a file of some megabytes, as a compiler makes them, cannot be written there: the
  // disk or a quota is full, or it may only be read.
  Result<> HasRoom() const;

  // Keeps the outcome in the folder `scratch`, which becomes the entry; an object is copied into
  // it. Bounds the cache's size. Returns the outcome that is kept: where another process has stored
  // one meanwhile, that one.
  Result<Outcome> Store(const std::string& key, Outcome outcome,
                        const std::filesystem::path& scratch) const;

 private:
  std::filesystem::path EntryOf(const std::string& key) const;
  // Removes what was not used for longest, until the rest fits, and nothing that was used within
  // the hour: somebody may be grading with it.
  void Evict() const;

  std::filesystem::path folder_;
  std::uint64_t max_bytes_;
};

inline constexpr char kObjectName[] = "submission.so";

}  // namespace warpcheck::compile
