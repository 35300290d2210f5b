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

TEST(KnownBytes, SaysWhatIsNew) {
  KnownBytes known;
  EXPECT_EQ(known.Insert(0x0FFE, Bytes({1, 2, 3})), (NewBytes{1, 1, 1}));
  EXPECT_EQ(known.Insert(0x0FFF, Bytes({2, 4, 5})), (NewBytes{0, 1, 1}));
  known.Forget();
  EXPECT_EQ(known.Insert(0x0FFE, Bytes({1})), NewBytes{1});
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
  const auto write = [](const std::vector<std::byte>& bytes, const NewBytes& changed) {
    return Of({{.kind = RequestKind::kWrite, .numbers = {1}, .bytes = bytes, .changed = changed}});
  };
  const HostRequests one = write(Bytes({0, 5, 6}), {1, 0, 0});
  EXPECT_EQ(one.DifferenceTo(write(Bytes({0, 7, 8}), {0, 0, 0})), std::nullopt);
  EXPECT_THAT(one.DifferenceTo(write(Bytes({0, 7, 8}), {1, 0, 1})),
              Optional(std::string("copies other bytes to the device")));
  EXPECT_THAT(one.DifferenceTo(write(Bytes({1, 5, 6}), {1, 0, 0})),
              Optional(std::string("copies other bytes to the device")));
}

// A round of a loop: a kernel from one buffer to the other, with the number of the round.
HostRequest Step(std::uint64_t round) {
  const std::uint64_t from = round % 2 == 0 ? 100 : 200;
  return {.kind = RequestKind::kLaunch,
          .kernel = "_Z4stepPfS_i",
          .numbers = {1, 8},
          .words = {from, 300 - from, round}};
}

HostRequests Loop(std::uint64_t rounds, std::vector<HostRequest> after = {}) {
  std::vector<HostRequest> requests;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    requests.push_back(Step(round));
    requests.push_back({.kind = RequestKind::kFill, .numbers = {400, 4, 0}});
  }
  for (HostRequest& request : after) requests.push_back(std::move(request));
  requests.push_back(kTell);
  return Of(requests);
}

TEST(HostRequests, KnowALoopThatOnlyRunsLonger) {
  EXPECT_TRUE(Loop(20).OnlyRepeatsMoreOrLess(Loop(20)));
  EXPECT_TRUE(Loop(20).OnlyRepeatsMoreOrLess(Loop(9)));
  EXPECT_TRUE(Loop(9).OnlyRepeatsMoreOrLess(Loop(20)));
  const auto result_in = [](std::uint64_t buffer) {
    return std::vector<HostRequest>{{.kind = RequestKind::kCopy, .numbers = {500, buffer}}};
  };
  EXPECT_TRUE(Loop(20, result_in(100)).OnlyRepeatsMoreOrLess(Loop(9, result_in(200))))
      << "the buffers take turns";
  EXPECT_FALSE(Loop(20, result_in(100)).OnlyRepeatsMoreOrLess(Loop(9, result_in(700))))
      << "a place that no round has named";
}

TEST(HostRequests, KnowWhatIsMoreThanALoop) {
  HostRequest computed = Step(9);
  computed.words[2] = 12'345;
  EXPECT_FALSE(Loop(20).OnlyRepeatsMoreOrLess(Of({computed, kTell})));
  // The further rounds of one run say something new.
  std::vector<HostRequest> rounds, told;
  for (std::uint64_t round = 0; round < 6; ++round) rounds.push_back(Step(0));
  told = rounds;
  for (const std::uint64_t value : {7U, 3U, 9U}) {
    told.push_back(Step(0));
    told.back().words[2] = value;
  }
  EXPECT_FALSE(Of(told).OnlyRepeatsMoreOrLess(Of(rounds)));
  EXPECT_FALSE(Of(rounds).OnlyRepeatsMoreOrLess(Of(told)));
  // Two kernels that write a bit each could spell out a result by their runs.
  const auto bits = [](const std::string& text) {
    std::vector<HostRequest> requests;
    for (const char bit : text) {
      requests.push_back(kTell);
      requests.back().kernel = bit == '0' ? "_Z4zerov" : "_Z3onev";
    }
    return Of(requests);
  };
  EXPECT_FALSE(bits("0110100111").OnlyRepeatsMoreOrLess(bits("1011000101")));
  const auto write = [](int value) {
    return HostRequest{
        .kind = RequestKind::kWrite, .numbers = {1}, .bytes = Bytes({value}), .changed = {1}};
  };
  EXPECT_FALSE(Loop(20, {write(1)}).OnlyRepeatsMoreOrLess(Loop(9, {write(2)})));
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
