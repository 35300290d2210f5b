#include "sandbox/descriptor_message.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace warpcheck::sandbox {
namespace {

union Room {
  char bytes[CMSG_SPACE(sizeof(int) * DescriptorMessage::kMost)];
  cmsghdr header;
};

void Take(const msghdr& header, DescriptorMessage& taken) {
  const cmsghdr* const first = CMSG_FIRSTHDR(&header);
  if (first == nullptr || first->cmsg_type != SCM_RIGHTS) return;
  const std::size_t bytes = first->cmsg_len - CMSG_LEN(0);
  std::memcpy(taken.descriptors, CMSG_DATA(first), bytes);
  taken.count = static_cast<int>(bytes / sizeof(int));
}

}  // namespace

bool Send(int socket, const void* bytes, std::size_t size, const DescriptorMessage& sent) {
  iovec part = {.iov_base = const_cast<void*>(bytes), .iov_len = size};
  msghdr header = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  Room room = {};
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
  Room room = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = room.bytes;
  header.msg_controllen = sizeof room.bytes;
  ssize_t got;
  while ((got = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  if (got < 0) return got;
  Take(header, taken);
  if ((header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0) return got;
  for (int i = 0; i < taken.count; ++i) ::close(taken.descriptors[i]);
  taken = {};
  errno = EMSGSIZE;
  return -1;
}

}  // namespace warpcheck::sandbox
