// Sends and receives datagrams with descriptors over a local socket. It uses only the C library,
// because the supervisor sends them too.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace warpcheck::sandbox {

struct DescriptorMessage {
  static constexpr int kMost = 5;

  int descriptors[kMost] = {};
  int count = 0;
};

// Never waits and raises no signal. Returns false and sets errno if the message cannot be sent.
bool Send(int socket, const void* bytes, std::size_t size, const DescriptorMessage& sent);

// Waits for a message and returns its length. Returns 0 if the other end is closed, and -1 with
// errno if the message is longer than `size`, has too many descriptors, or cannot be received. The
// descriptors close on exec, and the caller owns them.
ssize_t Receive(int socket, void* bytes, std::size_t size, DescriptorMessage& taken);

}  // namespace warpcheck::sandbox
