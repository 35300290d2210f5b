#include "provenance/host_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpcheck {
namespace {

using testing::Optional;

std::vector<std::byte> Bytes(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

HostRequests Of(const std::vector<HostRequest>& requests) {
  HostRequests all;
  for (const HostRequest& request : requests)
    all.Add(request, request.kind == RequestKind::kLaunch);
  return all;
}

const HostRequest kTell = {.kind = RequestKind::kLaunch, .kernel = "_Z4tellv", .numbers = {1, 8}};

TEST(KnownBytes, SaysWhatIsNews) {
  KnownBytes known;
  EXPECT_EQ(known.Learn(0x0FFE, Bytes({1, 2, 3})), (std::vector{true, true, true}));
  EXPECT_EQ(known.Learn(0x0FFF, Bytes({2, 4, 5})), (std::vector{false, true, true}));
  known.Forget();
  EXPECT_EQ(known.Learn(0x0FFE, Bytes({1})), std::vector{true});
}

TEST(HostRequests, AreTheSameForTheSame) {
  EXPECT_EQ(Of({kTell}).DifferenceTo(Of({kTell})), std::nullopt);
}

TEST(HostRequests, NameWhatDiffers) {
  HostRequest blocks = kTell, arguments = kTell, other = kTell;
  blocks.numbers = {2, 8};
  arguments.words = {7};
  other.kernel = "_Z5tell2v";
  const HostRequests one = Of({kTell});
  EXPECT_THAT(one.DifferenceTo(Of({blocks})),
              Optional(std::string("launches tell() with other blocks")));
  EXPECT_THAT(one.DifferenceTo(Of({arguments})),
              Optional(std::string("passes other arguments to tell()")));
  EXPECT_THAT(one.DifferenceTo(Of({other})),
              Optional(std::string("launches tell2() where it launches tell() here")));
  EXPECT_THAT(one.DifferenceTo(Of({kTell, kTell})),
              Optional(std::string("launches a kernel more often than here")));
  EXPECT_THAT(one.DifferenceTo(HostRequests()),
              Optional(std::string("launches a kernel less often than here")));
  const HostRequest fill = {.kind = RequestKind::kFill, .numbers = {1, 4}};
  const HostRequest other_fill = {.kind = RequestKind::kFill, .numbers = {1, 5}};
  EXPECT_THAT(Of({fill}).DifferenceTo(one),
              Optional(std::string("launches a kernel where it calls cudaMemset here")));
  EXPECT_THAT(Of({fill}).DifferenceTo(Of({other_fill})),
              Optional(std::string(
                  "calls cudaMemset of another size, at another place or with another value")));
}

// Bytes that a kernel left beside the host's bytes are not known to the host.
TEST(HostRequests, LeaveWhatTheHostLeft) {
  const auto write = [](const std::vector<std::byte>& bytes, const std::vector<bool>& changed) {
    return Of({{.kind = RequestKind::kWrite, .numbers = {1}, .bytes = bytes, .changed = changed}});
  };
  const HostRequests one = write(Bytes({0, 5, 6}), {true, false, false});
  EXPECT_EQ(one.DifferenceTo(write(Bytes({0, 7, 8}), {false, false, false})), std::nullopt);
  EXPECT_THAT(one.DifferenceTo(write(Bytes({0, 7, 8}), {true, false, true})),
              Optional(std::string("copies other bytes to the device")));
  EXPECT_THAT(one.DifferenceTo(write(Bytes({1, 5, 6}), {true, false, false})),
              Optional(std::string("copies other bytes to the device")));
}

TEST(HostRequests, NumberModulesInTheOrderOfLoading) {
  HostRequests one, other;
  one.AddModule(1);
  one.AddModule(2);
  other.AddModule(7);  // the numbers differ, as on a GPU that has served another call before
  other.AddModule(9);
  EXPECT_EQ(one.Number(1), other.Number(7));
  EXPECT_EQ(one.Number(2), other.Number(9));
  EXPECT_NE(one.Number(1), one.Number(2));
  EXPECT_EQ(one.Number(3), 0U);
}

TEST(HostRequests, KnowMemoryWhereverTheDevicePutsIt) {
  HostRequests one, other;
  one.AddPiece(0x1000, 64);
  one.AddPiece(0x2000, 64);
  other.AddPiece(0x7000, 64);
  other.AddPiece(0x5000, 64);
  EXPECT_EQ(one.Place(0x2010), other.Place(0x5010));
  EXPECT_NE(one.Place(0x2010), other.Place(0x7010));
  EXPECT_NE(one.Place(0x2010), one.Place(0x2018));
  EXPECT_EQ(one.Place(0x2041), 0x2041u);
  one.RemovePiece(0x2000);
  EXPECT_EQ(one.Place(0x2010), 0x2010u);
}

// Requests whose effect nobody can see are not compared.
TEST(HostRequests, EndWithWhatSomebodySees) {
  const HostRequest free_it = {.kind = RequestKind::kFree, .numbers = {1}};
  EXPECT_TRUE(Of({free_it}).Seen().empty());
  EXPECT_EQ(Of({kTell, free_it}).Seen().DifferenceTo(Of({kTell})), std::nullopt);
  EXPECT_NE(Of({free_it, kTell}).Seen().DifferenceTo(Of({kTell})), std::nullopt);
}

TEST(HostRequests, CompareWhatTheyDoNotKeep) {
  HostRequests one, same, other;
  for (std::uint64_t i = 0; i < 70'000; ++i) {
    one.Add(kTell, true);
    same.Add(kTell, true);
    HostRequest last = kTell;
    if (i == 69'999) last.words = {1};
    other.Add(last, true);
  }
  EXPECT_EQ(one.Seen().DifferenceTo(same.Seen()), std::nullopt);
  EXPECT_THAT(one.DifferenceTo(other),
              Optional(std::string("makes other requests after the first 65,536")));
}

}  // namespace
}  // namespace warpcheck
