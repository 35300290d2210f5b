// Lets bubblewrap, run as an unprivileged user by root, mount files below folders that this user
// may not enter (/root, a private cache): in a mount namespace of its own, each is first bound to a
// short path that anyone can reach. The files themselves must be readable for all.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/descriptor.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

class MountStage {
 public:
  // Does nothing unless `needed` (we are root). Fails where a path cannot be opened.
  static Result<MountStage> Make(const std::vector<Mount>& mounts, bool needed);

  // Where bubblewrap finds the mount with this index.
  const std::string& path(std::size_t index) const { return items_[index].path; }

  // In the child, after fork: false (errno) on failure. Makes system calls only.
  bool Enter() const;

 private:
  struct Item {
    std::string path;
    std::string outside;
    std::string source;  // through /proc/self/fd
    bool folder = false;
    Descriptor opened;
  };
  std::vector<Item> items_;
  std::string folder_;
  bool needed_ = false;
};

}  // namespace warpcheck::sandbox
