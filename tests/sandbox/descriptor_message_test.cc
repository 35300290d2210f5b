// Tests messages with descriptors: any number may be sent, but only as many as fit are received.
#include "sandbox/supervisor/descriptor_message.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

namespace warpcheck::sandbox {
namespace {

class DescriptorMessageTest : public testing::Test {
 protected:
  DescriptorMessageTest() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends_), 0); }
  ~DescriptorMessageTest() override {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  DescriptorMessageTest(const DescriptorMessageTest&) = delete;
  DescriptorMessageTest& operator=(const DescriptorMessageTest&) = delete;

  // Sends stdin `count` times without Send(), because Send() sends only as many as fit.
  void SendMany(int count) const {
    const std::vector<int> descriptors(static_cast<std::size_t>(count), 0);
    const std::size_t bytes = descriptors.size() * sizeof(int);
    std::vector<char> jail(CMSG_SPACE(bytes));
    char byte = 'x';
    iovec part = {.iov_base = &byte, .iov_len = 1};
    msghdr header = {};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = jail.data();
    header.msg_controllen = jail.size();
    cmsghdr* const control = CMSG_FIRSTHDR(&header);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(bytes);
    if (count > 0) std::memcpy(CMSG_DATA(control), descriptors.data(), bytes);
    if (count == 0) header.msg_controllen = 0;
    ASSERT_EQ(::sendmsg(ends_[1], &header, 0), 1);
  }

  static std::ptrdiff_t OpenDescriptors() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  }

  int ends_[2] = {-1, -1};
};

TEST_F(DescriptorMessageTest, TakesAsManyAsFit) {
  for (int count = 0; count <= DescriptorMessage::kMost; ++count) {
    SendMany(count);
    char byte = 0;
    DescriptorMessage taken;
    EXPECT_EQ(Receive(ends_[0], &byte, 1, taken), 1);
    EXPECT_EQ(taken.count, count);
    for (int i = 0; i < taken.count; ++i) EXPECT_EQ(::close(taken.descriptors[i]), 0);
  }
}

TEST_F(DescriptorMessageTest, RefusesMoreAndKeepsNoneOpen) {
  const std::ptrdiff_t before = OpenDescriptors();
  for (const int count : {6, 7, 8, 9, 16, 253}) {
    SendMany(count);
    struct {
      DescriptorMessage taken;
      int beside = 42;
    } place;
    char byte = 0;
    EXPECT_EQ(Receive(ends_[0], &byte, 1, place.taken), -1) << count;
    EXPECT_EQ(errno, EMSGSIZE) << count;
    EXPECT_EQ(place.taken.count, 0) << count;
    EXPECT_EQ(place.beside, 42) << count;
    EXPECT_EQ(OpenDescriptors(), before) << count;
  }
}

}  // namespace
}  // namespace warpcheck::sandbox
