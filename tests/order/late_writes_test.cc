// The host sees what work writes when it has waited for it, and not before.
#include "order/late_writes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace warpcheck::order {
namespace {

using LateKind = HostEvent::Kind;

constexpr Handle kOne = 100, kUnblocked = 101;

class LateWritesTest : public testing::Test {
 protected:
  LateWritesTest() {
    for (LogReader* const reader : std::vector<LogReader*>{&names_, &checker_, &late_}) {
      log_.Add(*reader);
    }
    log_.Append({.kind = LateKind::kStreamCreate, .stream = kOne});
    log_.Append({.kind = LateKind::kStreamCreate,
                 .stream = kUnblocked,
                 .stream_kind = StreamKind::kNonBlocking});
  }

  // A copy to the host writes this letter at an index of `host_`.
  void Copy(Handle stream, std::size_t index, char letter) {
    const auto bytes =
        std::make_shared<const std::vector<std::byte>>(std::vector{static_cast<std::byte>(letter)});
    log_.Append({.kind = LateKind::kCopy,
                 .stream = stream,
                 .site = {.function = "cudaMemcpyAsync", .caller = "main", .address = 1 + index},
                 .from = HostCall::Memory::kDevice,
                 .to = HostCall::Memory::kPinned,
                 .bytes = 1,
                 .asynchronous = true,
                 .late = {{.host = reinterpret_cast<std::byte*>(&host_[index]),
                           .extent = {.width = 1},
                           .bytes = bytes}}});
  }
  void HostWaitsForStream(Handle stream) {
    log_.Append(
        {.kind = LateKind::kHostWait, .stream = stream, .waits_for = HostCall::WaitsFor::kStream});
  }

  std::string host_ = "....";
  std::vector<std::string> found_;
  StreamNames names_;
  OrderChecker checker_{names_, [](const Clash&, Handle) {},
                        [](const HostEvent&, std::string_view) {}};
  LateWrites late_{checker_, names_, HostLines::OfProcess(),
                   [this](const Finding& finding) { found_.push_back(finding.message); }};
  HostLog log_{[] { return CallSite{}; }};
};

TEST_F(LateWritesTest, ArriveWhenTheHostWaits) {
  Copy(kOne, 0, 'a');
  Copy(kUnblocked, 1, 'b');
  EXPECT_EQ(host_, "....");
  HostWaitsForStream(kOne);
  EXPECT_EQ(host_, "a...");
  Copy(kOne, 2, 'c');
  log_.Append({.kind = LateKind::kHostWait, .waits_for = HostCall::WaitsFor::kDevice});
  EXPECT_EQ(host_, "abc.");
}

TEST_F(LateWritesTest, ArriveWithAnEventOfAnotherStream) {
  Copy(kOne, 0, 'a');
  log_.Append({.kind = LateKind::kEventRecord, .stream = kOne, .event = 7});
  Copy(kOne, 1, 'b');
  log_.Append({.kind = LateKind::kStreamWait, .stream = kUnblocked, .event = 7});
  HostWaitsForStream(kUnblocked);
  EXPECT_EQ(host_, "a...");
}

TEST_F(LateWritesTest, ArriveWhenTheDeviceUsesTheMemory) {
  Copy(kOne, 0, 'a');
  Copy(kOne, 3, 'b');
  late_.Deliver(&host_[3], 1);
  EXPECT_EQ(host_, "...b");
}

TEST_F(LateWritesTest, CopiesWithoutAWaitAreReported) {
  Copy(kOne, 0, 'a');
  Copy(kUnblocked, 1, 'b');
  HostWaitsForStream(kOne);
  log_.Append({.kind = LateKind::kEnd});
  ASSERT_EQ(found_.size(), 1U);
  EXPECT_EQ(found_.front(),
            "the program does not wait for cudaMemcpyAsync in main, which copies 1 byte to the "
            "host: the host may still read the old bytes there");
  EXPECT_EQ(host_, "ab..");
}

}  // namespace
}  // namespace warpcheck::order
