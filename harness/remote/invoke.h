// Calls a function of which only the address and the arguments are known.
#pragma once

#include "remote/call.h"

namespace warpcheck::remote {

// Calls `function` as if declared void(types of `arguments`...): a DevicePointer and a HostArray
// are passed as pointers, the latter to a copy that lives until the function returns. Exceptions
// of the function pass through.
void Invoke(void (*function)(), const std::vector<Argument>& arguments);

}  // namespace warpcheck::remote
