// KernelCache keeps folders of compiled kernels on disk, by their content. Several processes may
// share it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"

namespace warpcheck::lab {

class KernelCache {
 public:
  // The folder is made if it is missing. If the cache has more than `most` entries, those that were
  // unused for longest are removed, except those used within the last hour.
  explicit KernelCache(std::filesystem::path folder, std::size_t most = 500)
      : folder_(std::move(folder)), most_(most) {}

  // Returns the entry's folder. If there is none, `make` fills a new folder, which becomes the
  // entry. Fails if `make` fails, or if the cache cannot be written.
  Result<std::filesystem::path> FindOrMake(
      const std::string& key,
      const std::function<Result<>(const std::filesystem::path& folder)>& make) const;

 private:
  void Evict() const;

  std::filesystem::path folder_;
  std::size_t most_;
};

}  // namespace warpcheck::lab
