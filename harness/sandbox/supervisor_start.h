// This is the judge's side of a supervisor: its program, its arguments (supervisor_protocol.h), and
// the channels to it.
#pragma once

#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

// Returns a descriptor of the supervisor's program, an unnamed file that is made once for each
// process and stays open.
Result<int> SupervisorImage();

// Returns the path by which a child can execute a descriptor of ours, such as "/proc/self/fd/12".
std::string PathOf(int descriptor);

struct OrderedDescriptors {
  int control, inherited, image, filter;  // -1 if there is no such descriptor
};

// Returns the supervisor's arguments.
std::vector<std::string> SupervisorOrders(const Command& command,
                                          const OrderedDescriptors& descriptors,
                                          bool owns_namespace);

// The channels between the judge and a supervisor: a socket, and pipes for the program's output.
// All close on exec. When this object is destroyed, the supervisor's ends are closed in this
// process.
struct Channels {
  static Result<Channels> Make();

  Descriptor control, output,
      errors;  // the judge's ends: of a SOCK_SEQPACKET socket, and of pipes that do not block
  Descriptor their_control, their_output, their_errors;
  Descriptor null;  // for reading
};

}  // namespace warpcheck::sandbox
