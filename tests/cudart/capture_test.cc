// Tests stream capture: what becomes a node, which streams take part, and which calls end a
// capture.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cudart/objects.h"

namespace warpcheck::cudart {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

class CaptureTest : public RuntimeTest {
 protected:
  CaptureTest() {
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
    data = static_cast<int*>(memory);
  }

  void Begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    EXPECT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
  }
  cudaError_t End() { return cudaStreamEndCapture(stream, &graph); }
  cudaError_t Set(int value, cudaStream_t in) {
    return static_cast<cudaError_t>(object.Call("launch_set", data, value, in));
  }
  cudaStreamCaptureStatus Status(cudaStream_t of) {
    cudaStreamCaptureStatus status{};
    EXPECT_EQ(cudaStreamIsCapturing(of, &status), cudaSuccess);
    return status;
  }
  // Expects that the capture was ended by the last call.
  void ExpectInvalid() {
    EXPECT_EQ(Status(stream), cudaStreamCaptureStatusInvalidated);
    EXPECT_EQ(Set(1, stream), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(End(), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(graph, nullptr);
    EXPECT_EQ(Status(stream), cudaStreamCaptureStatusNone);
  }
  std::vector<int> Launch() {
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
    std::vector<int> values;
    for (const LaunchRequest& request : device.launches) {
      int value = 0;
      std::memcpy(&value, request.parameters.data() + 8, sizeof(value));
      values.push_back(value);
    }
    return values;
  }
  std::size_t Edges() {
    std::size_t count = 0;
    EXPECT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count), cudaSuccess);
    return count;
  }

  Object object{"graphs"};
  cudaStream_t stream = nullptr;
  cudaStream_t other = nullptr;
  cudaEvent_t event = nullptr;
  cudaGraph_t graph = nullptr;
  int* data = nullptr;
};

TEST_F(CaptureTest, WorkBecomesNodesAndRunsAtTheLaunch) {
  int host = 0;
  Begin();
  EXPECT_EQ(Status(stream), cudaStreamCaptureStatusActive);
  EXPECT_EQ(cudaMemsetAsync(data, 3, 4, stream), cudaSuccess);
  EXPECT_EQ(Set(1, stream), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(&host, data, 4, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(cudaLaunchHostFunc(
                stream, [](void* value) { ++*static_cast<int*>(value); }, &host),
            cudaSuccess);
  EXPECT_EQ(End(), cudaSuccess);
  EXPECT_EQ(host, 0);
  EXPECT_EQ(Edges(), 3);
  EXPECT_THAT(Launch(), ElementsAre(1));
  EXPECT_EQ(host, 0x03030304);
}

TEST_F(CaptureTest, BytesOfACapturedCopyArriveWhenTheProgramWaits) {
  void* memory = nullptr;
  ASSERT_EQ(cudaMallocHost(&memory, 4), cudaSuccess);
  int* const host = static_cast<int*>(memory);
  *host = 7;
  Begin();
  EXPECT_EQ(cudaMemsetAsync(data, 1, 4, stream), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(host, data, 4, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal), cudaSuccess);
  EXPECT_EQ(End(), cudaSuccess);
  Launch();
  EXPECT_EQ(*host, 7);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(*host, 0x01010101);
}

TEST_F(CaptureTest, AStreamThatWaitsForACapturedEventTakesPart) {
  cudaEvent_t join = nullptr;
  ASSERT_EQ(cudaEventCreate(&join), cudaSuccess);
  Begin();
  EXPECT_EQ(Set(1, stream), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
  EXPECT_EQ(Status(other), cudaStreamCaptureStatusActive);
  EXPECT_EQ(Set(2, other), cudaSuccess);
  EXPECT_EQ(Set(3, stream), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(join, other), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream, join, 0), cudaSuccess);
  EXPECT_EQ(Set(4, stream), cudaSuccess);
  EXPECT_THAT(device.launches, IsEmpty());
  EXPECT_EQ(End(), cudaSuccess);
  EXPECT_EQ(Status(other), cudaStreamCaptureStatusNone);
  EXPECT_EQ(Edges(), 4);
  EXPECT_THAT(Launch(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(device.misuses, IsEmpty());
}

TEST_F(CaptureTest, AForkMustBeJoined) {
  Begin();
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
  EXPECT_EQ(Set(1, other), cudaSuccess);
  EXPECT_EQ(End(), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph, nullptr);
  EXPECT_THAT(device.misuses, ElementsAre(StartsWith("invalid_capture: cudaStreamEndCapture")));
}

TEST_F(CaptureTest, CallsThatWaitForCapturedWorkEndTheCapture) {
  Begin();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  ExpectInvalid();
  Begin(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorStreamCaptureUnsupported);
  ExpectInvalid();
  Begin(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
  ExpectInvalid();
  Begin(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorCapturedEvent);
  ExpectInvalid();
  EXPECT_EQ(cudaEventSynchronize(event), cudaErrorCapturedEvent) << "it stands for no work";
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
}

TEST_F(CaptureTest, UnsafeCallsDependOnTheMode) {
  void* pointer = nullptr;
  Begin();
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaErrorStreamCaptureUnsupported);
  ExpectInvalid();
  Begin();
  std::thread([&] { EXPECT_EQ(cudaFree(data), cudaErrorStreamCaptureUnsupported); }).join();
  ExpectInvalid();
  Begin(cudaStreamCaptureModeThreadLocal);
  std::thread([&] { EXPECT_EQ(cudaMallocHost(&pointer, 4), cudaSuccess); }).join();
  EXPECT_EQ(cudaFreeHost(pointer), cudaErrorStreamCaptureUnsupported);
  ExpectInvalid();
  Begin(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaFreeHost(pointer), cudaSuccess);
  EXPECT_EQ(End(), cudaSuccess);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  Begin();
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaSuccess);
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(End(), cudaSuccess);
}

TEST_F(CaptureTest, TheDefaultStreamIsTiedToBlockingStreams) {
  Begin();
  EXPECT_EQ(cudaMemsetAsync(data, 0, 4, cudaStreamLegacy), cudaSuccess)
      << "the stream is non-blocking";
  EXPECT_EQ(End(), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  Begin(cudaStreamCaptureModeRelaxed);
  cudaStreamCaptureStatus status{};
  EXPECT_EQ(cudaStreamIsCapturing(cudaStreamLegacy, &status), cudaErrorStreamCaptureImplicit);
  EXPECT_EQ(Status(stream), cudaStreamCaptureStatusActive);
  EXPECT_EQ(cudaMemsetAsync(data, 0, 4, cudaStreamLegacy), cudaErrorStreamCaptureImplicit);
  ExpectInvalid();
  EXPECT_EQ(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal),
            cudaErrorStreamCaptureUnsupported);
}

TEST_F(CaptureTest, EventsDoNotCrossTheEdgeOfACapture) {
  EXPECT_EQ(cudaEventRecord(event, other), cudaSuccess);
  Begin();
  EXPECT_EQ(cudaStreamWaitEvent(stream, event, 0), cudaErrorStreamCaptureIsolation);
  ExpectInvalid();
  Begin();
  EXPECT_EQ(cudaStreamWaitEvent(stream, event, cudaEventWaitExternal), cudaSuccess);
  EXPECT_EQ(cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal), cudaSuccess);
  EXPECT_EQ(End(), cudaSuccess);
  EXPECT_EQ(Edges(), 1);
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess) << "a node will record it";
  Begin();
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, event, 0), cudaErrorStreamCaptureMerge);
  ExpectInvalid();
  EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(CaptureTest, ACaptureEndsWhereItBegan) {
  EXPECT_EQ(End(), cudaErrorIllegalState);
  Begin();
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
  ExpectInvalid();
  Begin();
  std::thread([&] { EXPECT_EQ(End(), cudaErrorStreamCaptureWrongThread); }).join();
  ExpectInvalid();
  Begin(cudaStreamCaptureModeRelaxed);
  std::thread([&] { EXPECT_EQ(End(), cudaSuccess); }).join();
}

TEST_F(CaptureTest, ProgramsMayAskForACaptureAndChangeIt) {
  Begin();
  EXPECT_EQ(Set(1, stream), cudaSuccess);
  cudaStreamCaptureStatus status{};
  unsigned long long id = 0;
  cudaGraph_t captured = nullptr;
  const cudaGraphNode_t* nodes = nullptr;
  std::size_t count = 0;
  EXPECT_EQ(cudaStreamGetCaptureInfo(stream, &status, &id, &captured, &nodes, nullptr, &count),
            cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_NE(id, 0);
  ASSERT_EQ(count, 1);
  cudaGraphNode_t added = nullptr;
  EXPECT_EQ(cudaGraphAddEmptyNode(&added, captured, nodes, count), cudaSuccess);
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, &added, nullptr, 1,
                                                cudaStreamSetCaptureDependencies),
            cudaSuccess);
  EXPECT_EQ(Set(2, stream), cudaSuccess);
  EXPECT_EQ(End(), cudaSuccess);
  EXPECT_EQ(graph, captured);
  EXPECT_EQ(Edges(), 2);
  EXPECT_EQ(
      cudaStreamBeginCaptureToGraph(stream, graph, &added, nullptr, 1, cudaStreamCaptureModeGlobal),
      cudaSuccess);
  EXPECT_EQ(Set(3, stream), cudaSuccess);
  EXPECT_EQ(End(), cudaSuccess);
  EXPECT_EQ(graph, captured);
  EXPECT_EQ(Edges(), 3);
  EXPECT_THAT(Launch(), ElementsAre(1, 2, 3));
}

TEST_F(CaptureTest, ALaunchOfAGraphIsCapturedAsAChild) {
  Begin();
  EXPECT_EQ(Set(1, stream), cudaSuccess);
  EXPECT_EQ(End(), cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  Begin();
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(Set(2, stream), cudaSuccess);
  EXPECT_EQ(End(), cudaSuccess);
  EXPECT_THAT(Launch(), ElementsAre(1, 2));
}

TEST_F(CaptureTest, AllocationsInAStreamBecomeMemoryOfTheGraph) {
  void* pointer = nullptr;
  Begin();
  EXPECT_EQ(cudaMallocAsync(&pointer, 16, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(pointer, 1, 16, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(pointer, stream), cudaSuccess);
  EXPECT_EQ(End(), cudaSuccess);
  EXPECT_EQ(Edges(), 2);
  cudaGraphExec_t exec = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(device.Allocated(), 64);
  EXPECT_THAT(device.misuses, IsEmpty());
}

TEST_F(CaptureTest, TheDefaultStreamOfAThreadCanBeCaptured) {
  EXPECT_EQ(Object("per_thread").Call("capture_default_stream", &graph), cudaSuccess);
  std::size_t count = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_THAT(device.launches, IsEmpty());
}

TEST_F(CaptureTest, CallsThatNoGraphHasEndTheCapture) {
  Begin(cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaStreamAddCallback(
                stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0),
            cudaErrorStreamCaptureUnsupported);
  ExpectInvalid();
  EXPECT_THAT(device.misuses,
              ElementsAre("invalid_capture: cudaStreamAddCallback is not allowed while a stream is "
                          "captured: it returned cudaErrorStreamCaptureUnsupported, and the "
                          "capture gives no graph"));
}

}  // namespace
}  // namespace warpcheck::cudart
