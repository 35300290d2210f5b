// Starts a program as a child of this process, with the descriptors that it is given and no others.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

// Lets bubblewrap, run as an unprivileged user by root, mount files below folders that this user
// may not enter (/root, a private cache): in a mount namespace of its own, each is first bound to a
// short path that anyone can reach. The files themselves must be readable for all.

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

struct ChildSetup {
  const MountStage& stage;
  unsigned unprivileged;  // user and group to become; 0: stay
  int input, output, errors;
  int third = -1;               // becomes descriptor 3; -1: none
  bool same_addresses = false;  // no randomisation, where that is not refused
  std::vector<int> kept;        // descriptors that keep their numbers; negative ones are none
};

struct Child {
  pid_t pid = -1;      // to be waited for
  Descriptor process;  // its pidfd
};

// `line`: the program's path and its arguments; it has this
// process's environment. Fails where it cannot be executed; ends with status 125 where a
// descriptor, a mount of the stage or the user could not be had.
Result<Child> StartChild(const ChildSetup& setup, std::vector<std::string> line);

// The ways between us and a supervisor: a socket, and pipes for what its program prints. All close
// on exec; theirs are closed here with the channels.
struct Channels {
  static Result<Channels> Make();

  Descriptor control, output,
      errors;  // ours: of a SOCK_SEQPACKET socket, of pipes that do not block
  Descriptor their_control, their_output, their_errors;
  Descriptor null;  // for reading
};

// Waits until the process of a pidfd has ended; kills it where that takes longer than 3 s.
void AwaitEnd(int process);

// "cannot make a pipe: Too many open files", of errno.
tl::unexpected<Error> SystemFailure(std::string_view action);

}  // namespace warpcheck::sandbox
