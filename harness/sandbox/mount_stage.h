// MountStage serves bubblewrap when root runs it as an unprivileged user. It lets bubblewrap mount
// files below folders that this user may not enter (/root, a private cache). In a mount namespace
// of its own, each file is first bound to a short path that everyone can access. All users must be
// able to read the files themselves.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

class MountStage {
 public:
  // Does nothing unless `needed`, which is true for root. Fails if a path cannot be opened.
  static Result<MountStage> Make(const std::vector<Mount>& mounts, bool needed);

  // Returns the path at which bubblewrap finds the mount with this index.
  const std::string& path(std::size_t index) const { return items_[index].path; }

  // Call this in the child, after fork. Returns false and sets errno on failure. Makes only system
  // calls.
  bool Enter() const;

 private:
  struct Item {
    std::string path;
    std::string outside;
    std::string source;  // the path of `opened` in /proc/self/fd
    bool folder = false;
    Descriptor opened;
  };
  std::vector<Item> items_;
  std::string folder_;
  bool needed_ = false;
};

}  // namespace warpcheck::sandbox
