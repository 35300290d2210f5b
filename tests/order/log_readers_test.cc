// What readers of a log conclude from its events.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "order/call_record.h"
#include "order/completion_queries.h"
#include "order/event_times.h"
#include "order/unrecorded_waits.h"

namespace warpcheck::order {
namespace {

using ReaderKind = HostEvent::Kind;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Handle kWork = 100, kOther = 101, kStamp = 7;

class LogReadersTest : public testing::Test {
 protected:
  LogReadersTest() {
    for (LogReader* const reader :
         std::vector<LogReader*>{&names_, &checker_, &record_, &queries_, &unrecorded_, &times_}) {
      log_.Add(*reader);
    }
    for (const Handle stream : {kWork, kOther}) {
      log_.Append({.kind = ReaderKind::kStreamCreate, .stream = stream});
    }
    log_.Append({.kind = ReaderKind::kStart});
  }

  void Append(ReaderKind kind, Handle stream = kWork, Handle event = kStamp) {
    log_.Append({.kind = kind,
                 .stream = stream,
                 .event = event,
                 .site = CallAt(++place_, "a call"),
                 .waits_for = HostCall::WaitsFor::kEvent});
  }
  static CallSite CallAt(std::uint64_t place, const std::string& function) {
    return {.function = function, .caller = {}, .address = place};
  }
  bool GivesTimeAt(std::uint64_t place) {
    return times_.GivesTime(kStamp, kStamp, CallAt(place, "cudaEventElapsedTime"));
  }

  std::uint64_t place_ = 0;
  std::vector<FindingKind> found_;
  StreamNames names_;
  OrderChecker checker_{names_, [](const Clash&, Handle) {},
                        [](const HostEvent&, std::string_view) {}};
  CallRecord record_{names_};
  CompletionQueries queries_;
  UnrecordedWaits unrecorded_{HostLines::OfProcess(),
                              [this](const Finding& finding) { found_.push_back(finding.kind); }};
  EventTimes times_{checker_, HostLines::OfProcess(),
                    [this](const Finding& finding) { found_.push_back(finding.kind); }};
  HostLog log_{[] { return CallSite{.function = "found", .caller = {}, .address = 9}; }};
};

TEST_F(LogReadersTest, AnEventThatIsNeverRecordedIsReported) {
  Append(ReaderKind::kStreamWait);
  EXPECT_EQ(unrecorded_.Explain(kOther), "");
  Append(ReaderKind::kEnd);
  EXPECT_THAT(found_, ElementsAre(FindingKind::kUnrecordedEvent));
}

TEST_F(LogReadersTest, AClashTellsOfTheWaitThatDidNothing) {
  Append(ReaderKind::kStreamWait);
  EXPECT_EQ(unrecorded_.Explain(kWork),
            "; a call waits for an event that nothing has recorded: it waits for nothing");
  Append(ReaderKind::kEnd);
  EXPECT_THAT(found_, IsEmpty()) << "it was told";
  Append(ReaderKind::kStreamWait);
  Append(ReaderKind::kEventRecord, kOther);
  EXPECT_EQ(unrecorded_.Explain(kWork),
            "; a call waits for an event that is recorded only later: it waits for nothing");
}

TEST_F(LogReadersTest, ATimeIsThereOnceTheHostHasWaited) {
  Append(ReaderKind::kKernel);
  Append(ReaderKind::kEventRecord);
  EXPECT_FALSE(GivesTimeAt(50));
  EXPECT_TRUE(GivesTimeAt(50)) << "the program asks in a loop";
  EXPECT_FALSE(GivesTimeAt(51));
  Append(ReaderKind::kHostWait);
  EXPECT_TRUE(GivesTimeAt(52));
  Append(ReaderKind::kEnd);
  EXPECT_THAT(found_, IsEmpty());
}

TEST_F(LogReadersTest, AQuestionWithoutAnAnswerIsReported) {
  Append(ReaderKind::kKernel);
  Append(ReaderKind::kEventRecord);
  EXPECT_FALSE(GivesTimeAt(50));
  Append(ReaderKind::kEventRecord);
  Append(ReaderKind::kEnd);
  EXPECT_THAT(found_, ElementsAre(FindingKind::kEarlyTime));
}

TEST_F(LogReadersTest, NewWorkMakesAQuestionNewAgain) {
  EXPECT_FALSE(queries_.AsksAgain(kWork, 50));
  EXPECT_FALSE(queries_.AsksAgain(kWork, 51));
  EXPECT_TRUE(queries_.AsksAgain(kWork, 50));
  Append(ReaderKind::kKernel, kOther);
  EXPECT_TRUE(queries_.AsksAgain(kWork, 50));
  Append(ReaderKind::kKernel, kWork);
  EXPECT_FALSE(queries_.AsksAgain(kWork, 50));
}

TEST_F(LogReadersTest, TheLogFindsTheCallOfAnEvent) {
  log_.Append({.kind = ReaderKind::kFill, .stream = kOther, .bytes = 4, .asynchronous = true});
  const HostCalls calls = record_.Take(HostLines::OfProcess());
  ASSERT_EQ(calls.calls.size(), 1U);
  EXPECT_EQ(calls.calls.front().function, "found");
  EXPECT_EQ(calls.streams.at(calls.calls.front().stream).name, "stream 2");
}

TEST_F(LogReadersTest, TheNodesOfAGraphAreInBranches) {
  const HostEvent::Node node{.call = "cudaGraphAddMemsetNode", .place = 3, .launched_in = kWork};
  const HostEvent fill{.kind = ReaderKind::kFill, .stream = kFirstOfGraphs, .node = node};
  EXPECT_EQ(names_.NameOf(fill), "a graph in stream 1");
  log_.Append(fill);
  const HostCalls calls = record_.Take(HostLines::OfProcess());
  ASSERT_EQ(calls.calls.size(), 1U);
  EXPECT_EQ(calls.calls.front().function, "cudaGraphAddMemsetNode");
  EXPECT_EQ(calls.streams.at(calls.calls.front().stream).name, "branch 1 of a graph");
}

}  // namespace
}  // namespace warpcheck::order
