#include "checks/checks.h"

#include "pieces.h"

namespace {

using testing::Eq;
using testing::Ge;
using testing::Le;
using testing::Values;
using warpcheck::CaseNames;
using warpcheck::CopiesAreAsynchronous;
using warpcheck::CopiesToDevice;
using warpcheck::CopiesToHost;
using warpcheck::HostArray;
using warpcheck::Integers;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::OverlapsCopiesWithKernels;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::Reals;
using warpcheck::RunsCleanly;
using warpcheck::UsesStreams;
using warpcheck::WaitsForTheDeviceAtMost;
using warpcheck::WithinUlps;

const Promised<&double_pieces> kPromised(  // NOLINT(cert-err58-cpp)
    {Reals("in", -1, 1), Output("out"), Integers("n", 1, 32'768), Integers("pieces", 1, 8)});

struct Work {
  int pieces;
  int length;  // of a piece
};

void PrintTo(const Work& work, std::ostream* out) { *out << work.pieces << 'x' << work.length; }

class Pieces : public warpcheck::AssignmentOver<Work> {
 protected:
  int pieces() const { return GetParam().pieces; }
  int n() const { return GetParam().pieces * GetParam().length; }

  Plan Perform() override {
    const HostArray<float> in{RandomFloats(n())};
    return MakePlan<&double_pieces>(in, Unwritten<float>(n()), n(), pieces());
  }
};

TEST_P(Pieces, MatchesReference) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  warpcheck::Values<float> expected = CallOnce().Before<float>(0);
  expected.data = CallOnce().HostValues<float>();
  for (float& value : expected.data) value *= 2;
  EXPECT_THAT(CallOnce().Output<float>(), WithinUlps(0, expected));
}

class PiecesInStreams : public Pieces {};

TEST_P(PiecesInStreams, UsesTwoStreams) { EXPECT_THAT(CallOnce(), UsesStreams(Ge(2))); }

TEST_P(PiecesInStreams, CopiesWithoutWaiting) { EXPECT_THAT(CallOnce(), CopiesAreAsynchronous()); }

TEST_P(PiecesInStreams, Overlaps) {
  EXPECT_THAT(CallOnce(), OverlapsCopiesWithKernels());
  EXPECT_THAT(CallOnce(), OverlapsCopiesWithKernels(Ge(0.5)));
}

TEST_P(PiecesInStreams, WaitsOnce) { EXPECT_THAT(CallOnce(), WaitsForTheDeviceAtMost(0)); }

TEST_P(PiecesInStreams, CopiesEachPieceOnce) {
  EXPECT_THAT(CallOnce(), CopiesToDevice(Le(pieces())));
  EXPECT_THAT(CallOnce(), CopiesToHost(Eq(0)));
}

// The list of calls, for a criterion that no matcher has: each kernel works on one piece.
TEST_P(PiecesInStreams, LaunchesAKernelForEachPiece) {
  int kernels = 0;
  for (const warpcheck::HostCall& call : CallOnce().host_calls->calls) {
    if (call.kind == warpcheck::HostCall::Kind::kKernel) kernels += static_cast<int>(call.count);
  }
  EXPECT_EQ(kernels, pieces());
}

INSTANTIATE_TEST_SUITE_P(Sizes, Pieces,
                         Values(Work{1, 1}, Work{2, 1024}, Work{3, 333}, Work{8, 4096}),
                         CaseNames());
INSTANTIATE_TEST_SUITE_P(Sizes, PiecesInStreams, Values(Work{2, 1024}, Work{8, 4096}), CaseNames());

}  // namespace
