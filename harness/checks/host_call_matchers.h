// These matchers judge what the host asked of the CUDA runtime in a call: streams, copies and
// waits. EXPECT_THAT(CallOnce(), CopiesAreAsynchronous()).
//
// They judge a record that the student's process makes (Trial::host_calls). Kernels and bytes in it
// are compared with what the device saw; streams and waits cannot be (docs/threat_model.md).
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "trial/case_log.h"
#include "trial/trial.h"

namespace warpcheck {

class HostCallMatcher {
 public:
  using is_gtest_matcher = void;
  using Judge = std::function<std::vector<CaseFailure>(const Trial& trial)>;

  HostCallMatcher(std::string claim, Judge judge)
      : claim_(std::move(claim)), judge_(std::move(judge)) {}

  bool MatchAndExplain(const Trial& trial, testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* out) const { *out << claim_; }
  void DescribeNegationTo(std::ostream* out) const { *out << "not: " << claim_; }

 private:
  std::string claim_;
  Judge judge_;
};

using NumberMatcher = testing::Matcher<std::uint64_t>;
using ShareMatcher = testing::Matcher<double>;

namespace host_call_internal {
HostCallMatcher UsesStreams(const NumberMatcher& number);
HostCallMatcher CopiesToHost(const NumberMatcher& number);
HostCallMatcher CopiesToDevice(const NumberMatcher& number);
HostCallMatcher BytesToHost(const NumberMatcher& number);
HostCallMatcher BytesReadBeforeLaunches(const NumberMatcher& number);
HostCallMatcher BytesToDevice(const NumberMatcher& number);
HostCallMatcher BytesReadUncopied(const NumberMatcher& number);
HostCallMatcher BytesOnTheDevice(const NumberMatcher& number);
HostCallMatcher KernelLaunches(const NumberMatcher& number);
HostCallMatcher LaunchedThreads(const NumberMatcher& number);
HostCallMatcher OverlapsCopies(ShareMatcher share);
}  // namespace host_call_internal

// The emulator tells which bytes each operation uses. So an operation counts in some matchers only
// if the result needs it: it writes bytes of an output, or bytes that a later needed operation
// reads, and no operation writes these bytes again in between. On a GPU each operation counts.

// Matches if the number of streams with a copy, a fill or a kernel that the result needs meets
// `number`. Streams that the program made, default streams of threads and the branches of a graph
// count; the legacy default stream does not.
template <class M>
HostCallMatcher UsesStreams(const M& number) {
  return host_call_internal::UsesStreams(testing::SafeMatcherCast<std::uint64_t>(number));
}

// Matches if the number of copies from the device to the host, or from the host to the device,
// meets `number`. Each call counts, whatever its size.
template <class M>
HostCallMatcher CopiesToHost(const M& number) {
  return host_call_internal::CopiesToHost(testing::SafeMatcherCast<std::uint64_t>(number));
}
template <class M>
HostCallMatcher CopiesToDevice(const M& number) {
  return host_call_internal::CopiesToDevice(testing::SafeMatcherCast<std::uint64_t>(number));
}

// Matches if the number of bytes that come from the device to the host meets `number`. It counts
// the bytes of copies from memory of the device, and the bytes that the host reads in memory that
// both share and did not know before.
template <class M>
HostCallMatcher BytesToHost(const M& number) {
  return host_call_internal::BytesToHost(testing::SafeMatcherCast<std::uint64_t>(number));
}

// Matches if the number of bytes that the host reads back before its last launch meets `number`: it
// may have given these to a kernel, in parameters or in other ways. What it reads after that, to
// print or check it, does not count.
template <class M>
HostCallMatcher BytesReadBeforeLaunches(const M& number) {
  return host_call_internal::BytesReadBeforeLaunches(
      testing::SafeMatcherCast<std::uint64_t>(number));
}

// Matches if the number of bytes that are copied from the host to memory of the device alone, and
// that the result needs, meets `number`. Kernels that read memory of the host, and managed memory,
// do without such copies.
template <class M>
HostCallMatcher BytesToDevice(const M& number) {
  return host_call_internal::BytesToDevice(testing::SafeMatcherCast<std::uint64_t>(number));
}

// Matches if the number of bytes that kernels read, and that no earlier copy to the device, fill or
// kernel of the call wrote, meets `number`. They are in memory of the host that kernels can read
// (pinned or managed), in arrays of the call, or left from an earlier call. The bytes of each
// kernel count. Only the emulator knows them, in a program that makes streams: otherwise they are
// 0.
template <class M>
HostCallMatcher BytesReadUncopied(const M& number) {
  return host_call_internal::BytesReadUncopied(testing::SafeMatcherCast<std::uint64_t>(number));
}

// Matches if the number of bytes that are copied from memory of the device to memory of the device
// meets `number`. A call with too many calls for a record never matches.
template <class M>
HostCallMatcher BytesOnTheDevice(const M& number) {
  return host_call_internal::BytesOnTheDevice(testing::SafeMatcherCast<std::uint64_t>(number));
}

// Matches if the number of launches meets `number`.
template <class M>
HostCallMatcher KernelLaunches(const M& number) {
  return host_call_internal::KernelLaunches(testing::SafeMatcherCast<std::uint64_t>(number));
}

// Matches if the number of threads of all launches meets `number`. Threads that a guard sends away
// at once count too: they cost time, and no counter of memory sees them.
template <class M>
HostCallMatcher LaunchedThreads(const M& number) {
  return host_call_internal::LaunchedThreads(testing::SafeMatcherCast<std::uint64_t>(number));
}

// Matches if no copy between the host and the device makes the host wait: each is a call of
// cudaMemcpyAsync or one of its relatives, with pinned memory.
HostCallMatcher CopiesAreAsynchronous();

// Matches if at least one copy between the host and the device, which the result needs, may overlap
// with a kernel that the result needs: nothing orders the two. A copy to the device counts only
// beside kernels that work on bytes which other copies brought.
HostCallMatcher OverlapsCopiesWithKernels();

// Matches if the share of the copied bytes, from 0 to 1, that may overlap with a kernel meets
// `share`. Of each copy as many bytes count as the kernels beside it work on.
template <class M>
HostCallMatcher OverlapsCopiesWithKernels(const M& share) {
  return host_call_internal::OverlapsCopies(testing::SafeMatcherCast<double>(share));
}

// Matches if the host has waited for all copies, fills and kernels when the function returns. Use
// it if the handout says that the work must be finished on return. A later use of the device by the
// caller would wait for most of them, so that no result shows it. A call with too many calls for a
// record always matches.
HostCallMatcher IsFinishedOnReturn();

// Matches if the host waits at most `most` times for all work of the device while more work is to
// come: cudaDeviceSynchronize, cudaFree, a synchronous copy in the default stream. A wait with
// nothing to wait for, and one after the last operation, do not count; neither do waits for one
// stream or one event.
HostCallMatcher WaitsForTheDeviceAtMost(std::uint64_t most);

}  // namespace warpcheck
