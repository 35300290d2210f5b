// The judge's side of the warden's program: where it is, and what it is told at its start
// (warden_protocol.h).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

// The warden's program as an unnamed file, made once a process and open as long as it.
Result<int> WardenImage();

// A path that a child executes a descriptor of ours by: "/proc/self/fd/12".
std::string PathOf(int descriptor);

struct OrderedDescriptors {
  int control, inherited, image, filter;  // -1: none
};

// The warden's arguments.
std::vector<std::string> WardenOrders(const Command& command, const OrderedDescriptors& descriptors,
                                      bool owns_namespace);

}  // namespace warpcheck::sandbox
