// Tests of order as data: a log goes in, clashes come out. No device and no runtime take part.
//
// A line of a log is one event:
//
//     create a                       streams have names of one letter
//     create f non-blocking
//     a writes 0-100                 a kernel; it may also read
//     a uploads 0-100 from 500       cudaMemcpyAsync from pinned memory; "copies" is cudaMemcpy,
//     a downloads 0-100 to 500       and "pageable" at the end makes the host's memory pageable
//     a allocates 0-100              or frees
//     a records x                    events are called x, y and z
//     a waits x
//     host waits a                   or x, or all
//     host reads 5                   or writes
//     host frees 0-100               with "pool" at the end, memory of a pool
//     host resets                    cudaDeviceReset
//
// A line that begins with "!" is the clash that the line before it must give; "!?" if GPUs have
// kept the order so far.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "order/order_checker.h"

namespace warpcheck::order {
namespace {

using LogKind = HostEvent::Kind;
using LogMemory = HostCall::Memory;

// The legacy default stream is called d.
Handle HandleOfName(const std::string& name) {
  return name == "d" ? kDefaultStream : static_cast<Handle>(name.at(0));
}

MemoryUse Range(MemoryUse::Kind kind, const std::string& text) {
  const std::size_t dash = text.find('-');
  const std::uint64_t begin = std::stoull(text);
  const std::uint64_t end =
      dash == std::string::npos ? begin + 1 : std::stoull(text.substr(dash + 1));
  return {kind, begin, end};
}

class LogInWords {
 public:
  LogInWords() {
    log_.Add(names_);
    log_.Add(checker_);
    log_.Append({.kind = LogKind::kStart});
  }

  // Returns the log again, with the clashes that it gives.
  std::string Read(const std::string& log) {
    std::string read;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
      line.erase(0, line.find_first_not_of(' '));
      if (line.empty() || line.starts_with('!')) continue;
      clashes_.clear();
      log_.Append(EventOf(line));
      read += line + '\n' + clashes_;
    }
    return read;
  }

 private:
  HostEvent EventOf(const std::string& line) {
    std::istringstream words(line);
    std::string who, what, range, rest;
    words >> who >> what >> range >> rest;
    HostEvent event{.site = {.function = what, .caller = {}, .address = ++place_}};
    if (who == "create") {
      event.kind = LogKind::kStreamCreate;
      event.stream = HandleOfName(what);
      if (range == "non-blocking") event.stream_kind = StreamKind::kNonBlocking;
      return event;
    }
    return who == "host" ? OfHost(event, what, range, rest)
                         : OfStream(event, who, what, range, line);
  }

  static HostEvent OfHost(HostEvent event, const std::string& what, const std::string& range,
                          const std::string& rest) {
    if (what == "waits") {
      event.kind = LogKind::kHostWait;
      event.waits_for = range == "all" ? HostCall::WaitsFor::kDevice
                        : range >= "x" ? HostCall::WaitsFor::kEvent
                                       : HostCall::WaitsFor::kStream;
      if (range != "all") event.stream = event.event = HandleOfName(range);
      return event;
    }
    if (what == "resets") {
      event.kind = LogKind::kReset;
      return event;
    }
    if (what == "frees") {
      event.kind = rest == "pool" ? LogKind::kPoolFree : LogKind::kHostFree;
      event.uses.uses = {Range(MemoryUse::Kind::kWrite, range)};
      return event;
    }
    event.kind = LogKind::kHostAccess;
    event.site.function = "the host";
    event.uses.uses = {
        Range(what == "reads" ? MemoryUse::Kind::kRead : MemoryUse::Kind::kWrite, range)};
    event.page = event.uses.uses.front();
    return event;
  }

  static HostEvent OfStream(HostEvent event, const std::string& who, const std::string& what,
                            const std::string& range, const std::string& line) {
    event.stream = HandleOfName(who);
    if (what == "records" || what == "waits") {
      event.kind = what == "records" ? LogKind::kEventRecord : LogKind::kStreamWait;
      event.event = HandleOfName(range);
      return event;
    }
    const MemoryUse::Kind kind =
        what == "reads" || what == "downloads" ? MemoryUse::Kind::kRead : MemoryUse::Kind::kWrite;
    event.uses.uses = {Range(kind, range)};
    if (what == "allocates" || what == "frees") {
      event.kind = what == "frees" ? LogKind::kFree : LogKind::kAllocation;
    } else if (what == "reads" || what == "writes") {
      event.kind = LogKind::kKernel;
      event.kernel = what;
    } else {
      MakeCopy(event, what, line);
    }
    return event;
  }

  static void MakeCopy(HostEvent& copy, const std::string& what, const std::string& line) {
    const LogMemory host = line.ends_with("pageable") ? LogMemory::kPageable : LogMemory::kPinned;
    const MemoryUse of_device = copy.uses.uses.front();
    std::istringstream words(line);
    std::string word;
    std::uint64_t begin = 0;
    words >> word >> word >> word >> word >> begin;  // "a uploads 0-100 from 500"
    const bool down = what == "downloads";
    copy.from = down ? LogMemory::kDevice : host;
    copy.to = down ? host : LogMemory::kDevice;
    copy.asynchronous = what != "copies";
    copy.bytes = of_device.end - of_device.begin;
    const MemoryUse of_host{down ? MemoryUse::Kind::kWrite : MemoryUse::Kind::kRead, begin,
                            begin + copy.bytes};
    copy.uses.uses = down ? std::vector{of_device, of_host} : std::vector{of_host, of_device};
  }

  std::string clashes_;
  std::uint64_t place_ = 0;
  StreamNames names_;
  OrderChecker checker_{names_,
                        [this](const Clash& clash, Handle) {
                          clashes_ += std::string(clash.unpromised ? "!? " : "! ") +
                                      clash.later.text + " / " + clash.earlier.text + '\n';
                        },
                        [](const HostEvent&, std::string_view) {}};
  HostLog log_{[] { return CallSite{}; }};
};

// Checks that a log gives the clashes that stand in it.
void ExpectAsWritten(const std::string& log) {
  std::string wanted;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(' '));
    if (!line.empty()) wanted += line + '\n';
  }
  EXPECT_EQ(LogInWords().Read(log), wanted);
}

TEST(Log, TwoStreamsNeedAnEvent) {
  ExpectAsWritten(R"(
      create a
      create b
      a writes 0-100
      b reads 0-100
      ! the kernel reads in stream 2 / the kernel writes in stream 1
      a writes 200-300
      a records x
      b waits x
      b reads 200-300)");
}

TEST(Log, AnEventIsRecordedTooEarly) {
  ExpectAsWritten(R"(
      create a
      create b
      a records x
      a writes 0-100
      b waits x
      b reads 0-100
      ! the kernel reads in stream 2 / the kernel writes in stream 1)");
}

TEST(Log, TheDefaultStreamWaitsForBlockingStreamsOnly) {
  ExpectAsWritten(R"(
      create a
      create f non-blocking
      a writes 0-100
      f writes 100-200
      d reads 0-100
      d reads 100-200
      ! the kernel reads in the default stream / the kernel writes in stream 2)");
}

TEST(Log, TheHostWaitsForWhatItReads) {
  ExpectAsWritten(R"(
      create a
      create b
      a downloads 0-100 to 500
      host reads 520
      ! the host / downloads in stream 1
      b downloads 0-100 to 700
      host waits a
      host reads 720
      ! the host / downloads in stream 2
      b downloads 0-100 to 900
      b records x
      host waits x
      host reads 920)");
}

// So far GPUs have read pageable memory before the call returned.
TEST(Log, PageableMemoryIsReadEarlyWithoutAPromise) {
  ExpectAsWritten(R"(
      create a
      a uploads 0-100 from 500 pageable
      host writes 510
      !? the host / uploads in stream 1
      a copies 0-100 from 500 pageable
      host writes 510
      a uploads 0-100 from 500
      host writes 510
      ! the host / uploads in stream 1)");
}

TEST(Log, MemoryMustNotBeFreedWhileItIsUsed) {
  ExpectAsWritten(R"(
      create a
      create b
      a allocates 0-100
      b writes 0-100
      ! the kernel writes in stream 2 / allocates in stream 1
      a frees 0-100
      ! frees in stream 1 / the kernel writes in stream 2
      a writes 200-300
      host frees 200-300
      a writes 400-500
      host frees 400-500 pool
      ! frees / the kernel writes in stream 1)");
}

// The same addresses may be memory of others after a free.
TEST(Log, FreedMemoryIsForgotten) {
  ExpectAsWritten(R"(
      create a
      create b
      a writes 0-100
      host frees 0-100
      b writes 0-100)");
}

TEST(Log, AResetEndsAllWork) {
  ExpectAsWritten(R"(
      create a
      create b
      a writes 0-100
      host resets
      create c
      c writes 0-100)");
}

}  // namespace
}  // namespace warpcheck::order
