#include "sandbox/supervisor/descriptor_message.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace warpcheck::sandbox {
namespace {

// The length is a multiple of 8, so the kernel may write one more descriptor into it than intended.
union Ancillary {
  char bytes[CMSG_SPACE(sizeof(int) * DescriptorMessage::kMost)];
  cmsghdr header;
};

// Returns false if there are more descriptors than fit, and closes all of them.
bool Take(msghdr& header, DescriptorMessage& taken) {
  bool fit = true;
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int descriptor;
      std::memcpy(&descriptor, CMSG_DATA(part) + i * sizeof descriptor, sizeof descriptor);
      if (taken.count < DescriptorMessage::kMost) {
        taken.descriptors[taken.count++] = descriptor;
      } else {
        ::close(descriptor);
        fit = false;
      }
    }
  }
  return fit;
}

}  // namespace

bool Send(int socket, const void* bytes, std::size_t size, const DescriptorMessage& sent) {
  iovec part = {.iov_base = const_cast<void*>(bytes), .iov_len = size};
  msghdr header = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  Ancillary room = {};
  if (sent.count > 0) {
    const std::size_t descriptor_bytes = sizeof(int) * static_cast<std::size_t>(sent.count);
    header.msg_control = room.bytes;
    header.msg_controllen = CMSG_SPACE(descriptor_bytes);
    room.header.cmsg_level = SOL_SOCKET;
    room.header.cmsg_type = SCM_RIGHTS;
    room.header.cmsg_len = CMSG_LEN(descriptor_bytes);
    std::memcpy(CMSG_DATA(&room.header), sent.descriptors, descriptor_bytes);
  }
  return ::sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(size);
}

ssize_t Receive(int socket, void* bytes, std::size_t size, DescriptorMessage& taken) {
  taken = {};
  iovec part = {.iov_base = bytes, .iov_len = size};
  msghdr header = {};
  Ancillary room = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = room.bytes;
  header.msg_controllen = sizeof room.bytes;
  ssize_t got;
  while ((got = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  if (got < 0) return got;
  const bool fit = Take(header, taken);
  if (fit && (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0) return got;
  for (int i = 0; i < taken.count; ++i) ::close(taken.descriptors[i]);
  taken = {};
  errno = EMSGSIZE;
  return -1;
}

}  // namespace warpcheck::sandbox
