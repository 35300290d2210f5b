// The keeper: the first process of a room. It holds no rights but to make namespaces, as any user
// may, and starts a warden in new ones for each order that it gets (warden_protocol.h). Wardens and
// what they start cannot see, signal or trace it, and end with it. C library only.
#pragma once

namespace warpcheck::sandbox {

// Until the other end of `socket` is closed; gives its exit status.
int BeKeeper(int socket, int image);

}  // namespace warpcheck::sandbox
