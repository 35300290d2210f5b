// A datagram over a local socket that carries descriptors. C library only: the supervisor sends
// them too.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace warpcheck::sandbox {

struct DescriptorMessage {
  static constexpr int kMost = 5;

  int descriptors[kMost] = {};
  int count = 0;
};

// Never waits, raises no signal. False (errno) where it cannot be sent.
bool Send(int socket, const void* bytes, std::size_t size, const DescriptorMessage& sent);

// Waits for a message. Its length, 0 where the other end is closed, -1 (errno) where it does not
// fit into `size`, carries too many descriptors, or cannot be had. The descriptors close on exec,
// and are the caller's.
ssize_t Receive(int socket, void* bytes, std::size_t size, DescriptorMessage& taken);

}  // namespace warpcheck::sandbox
