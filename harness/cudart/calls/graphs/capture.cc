// Implements stream capture (CUDA Runtime API, "Stream Management").
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cudart/call.h"
#include "cudart/calls/graphs/graph_memory.h"
#include "cudart/misuse.h"
#include "cudart/stream_capture.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {
namespace {

// Returns why a capture cannot begin in the stream.
cudaError_t CheckBegin(Runtime& runtime, cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) {
    return cudaErrorInvalidValue;
  }
  if (IsLegacy(stream)) return cudaErrorStreamCaptureUnsupported;
  return runtime.captures.Of(stream) != nullptr ? cudaErrorIllegalState : cudaSuccess;
}

void Begin(Runtime& runtime, cudaStream_t stream, cudaStreamCaptureMode mode, Capture capture,
           NodeList after) {
  capture.mode = mode;
  capture.thread = ThisThread();
  capture.origin = KeyOf(stream);
  capture.blocking = runtime.streams.DefaultWaitsFor(stream);
  capture.place = CurrentCall().address;
  capture.streams[capture.origin] = std::move(after);
  runtime.captures.Begin(std::move(capture));
}

// Returns a node that a stream of the capture has run and that does not come before the last nodes
// of the stream where it began; nullptr if there is none.
const Node* Unjoined(const Capture& capture, const Graph& graph) {
  const NodeList& joined = capture.streams.at(capture.origin);
  for (const auto& [stream, last] : capture.streams) {
    for (const cudaGraphNode_t node : last) {
      if (graph.Find(node) != nullptr && !graph.IsBefore(node, joined)) return graph.Find(node);
    }
  }
  return nullptr;
}

cudaError_t Unjoin(Runtime& runtime, const Node& node) {
  const SourceLocation left = runtime.lines.OfCall(node.place);
  NoteMisuse(runtime,
             {.kind = FindingKind::kInvalidCapture,
              .where = runtime.lines.OfCall(CurrentCall().address),
              .other = left,
              .message = fmt::format(
                  "{} ends the capture, but its stream does not wait for {}{}, which another "
                  "stream captured: it returned cudaErrorStreamCaptureUnjoined, and there is no "
                  "graph",
                  CurrentCall().Text(), node.call, InBrackets(left))});
  return cudaErrorStreamCaptureUnjoined;
}

// Returns how the capture ends; its graph is good if that is cudaSuccess.
cudaError_t ResultOf(Runtime& runtime, const Capture& capture) {
  if (capture.invalid) return cudaErrorStreamCaptureInvalidated;
  const Graph* const graph = runtime.graphs.Find(capture.graph);
  if (graph == nullptr) return cudaErrorStreamCaptureInvalidated;
  const Node* const unjoined = Unjoined(capture, *graph);
  return unjoined == nullptr ? cudaSuccess : Unjoin(runtime, *unjoined);
}

cudaError_t EndCapture(Runtime& runtime, cudaStream_t stream, cudaGraph_t* graph) {
  if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
  if (graph == nullptr) return cudaErrorInvalidValue;
  *graph = nullptr;
  Capture* const capture = runtime.captures.Of(stream);
  if (capture == nullptr) return cudaErrorIllegalState;
  if (capture->origin != KeyOf(stream)) {
    return Invalidate(
        runtime, *capture, cudaErrorStreamCaptureUnmatched,
        "ends a capture, but names another stream than the one in which the capture began");
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != ThisThread()) {
    return Invalidate(runtime, *capture, cudaErrorStreamCaptureWrongThread,
                      "ends a capture in a thread that did not begin it");
  }
  const cudaError_t result = ResultOf(runtime, *capture);
  const cudaGraph_t captured = capture->graph;
  const bool own = capture->own_graph;
  runtime.captures.End(*capture);
  if (result == cudaSuccess) {
    *graph = captured;
    if (own) runtime.misuse.Made(HandleKind::kGraph, captured);
  } else if (own) {
    runtime.graphs.Destroy(captured);
    ReleaseUnusedMemory(runtime);
  }
  return result;
}

struct CaptureInfo {
  cudaStreamCaptureStatus* status = nullptr;
  unsigned long long* id = nullptr;
  cudaGraph_t* graph = nullptr;
  const cudaGraphNode_t** nodes = nullptr;
  const cudaGraphEdgeData** data = nullptr;
  std::size_t* count = nullptr;
};

cudaError_t GetInfo(cudaStream_t stream, const CaptureInfo& out) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    if (out.status == nullptr) return cudaErrorInvalidValue;
    const Capture* const capture = runtime.captures.Of(stream);
    if (capture == nullptr && IsLegacy(stream) && runtime.captures.TiedToLegacy() != nullptr) {
      return cudaErrorStreamCaptureImplicit;
    }
    *out.status = capture == nullptr ? cudaStreamCaptureStatusNone
                  : capture->invalid ? cudaStreamCaptureStatusInvalidated
                                     : cudaStreamCaptureStatusActive;
    if (capture == nullptr || capture->invalid) return cudaSuccess;
    const NodeList& nodes = capture->streams.at(KeyOf(stream));
    if (out.id != nullptr) *out.id = capture->id;
    if (out.graph != nullptr) *out.graph = capture->graph;
    if (out.nodes != nullptr) *out.nodes = nodes.data();
    if (out.data != nullptr) {
      thread_local std::vector<cudaGraphEdgeData> zeros;
      zeros.assign(nodes.size(), {});
      *out.data = zeros.data();
    }
    if (out.count != nullptr) *out.count = nodes.size();
    return cudaSuccess;
  });
}

cudaError_t UpdateDependencies(cudaStream_t stream, const cudaGraphNode_t* nodes, std::size_t count,
                               unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    if (flags > cudaStreamSetCaptureDependencies || (nodes == nullptr && count != 0)) {
      return cudaErrorInvalidValue;
    }
    Capture* const capture = runtime.captures.Of(stream);
    if (capture == nullptr) return cudaErrorIllegalState;
    if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
    const NodeList given(nodes, nodes + count);
    const Graph* const graph = runtime.graphs.Find(capture->graph);
    if (graph == nullptr || !graph->HasAll(given)) return cudaErrorInvalidValue;
    NodeList& last = capture->streams.at(KeyOf(stream));
    if (flags == cudaStreamSetCaptureDependencies) last.clear();
    AddTo(last, given);
    return cudaSuccess;
  });
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    WARPCHECK_TRY_CODE(CheckBegin(runtime, stream, mode));
    Begin(runtime, stream, mode, {.graph = runtime.graphs.Create().handle()}, {});
    return cudaSuccess;
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* /*data*/, size_t count,
                                          cudaStreamCaptureMode mode) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    WARPCHECK_TRY_CODE(CheckBegin(runtime, stream, mode));
    const Graph* const found = runtime.graphs.Find(graph);
    if (found == nullptr || (after == nullptr && count != 0)) return cudaErrorInvalidValue;
    NodeList list(after, after + count);
    if (!found->HasAll(list)) return cudaErrorInvalidValue;
    Begin(runtime, stream, mode, {.graph = graph, .own_graph = false}, std::move(list));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return Call(Timing::kHost, [&](Runtime& runtime) { return EndCapture(runtime, stream, graph); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return GetInfo(stream, {.status = status});
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal ||
        *mode > cudaStreamCaptureModeRelaxed) {
      return cudaErrorInvalidValue;
    }
    *mode = runtime.captures.ExchangeMode(*mode);
    return cudaSuccess;
  });
}

// Since CUDA 13 these functions have parameters for the data of edges. CUDA 12 gives that form a
// suffix.

extern "C" cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream,
                                                   cudaStreamCaptureStatus* status,
                                                   unsigned long long* id, cudaGraph_t* graph,
                                                   const cudaGraphNode_t** nodes,
                                                   const cudaGraphEdgeData** data, size_t* count) {
  return GetInfo(stream, {status, id, graph, nodes, data, count});
}

extern "C" cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                                   cudaStreamCaptureStatus* status,
                                                   unsigned long long* id, cudaGraph_t* graph,
                                                   const cudaGraphNode_t** nodes, size_t* count) {
  return GetInfo(stream, {status, id, graph, nodes, nullptr, count});
}

extern "C" cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream,
                                                              cudaGraphNode_t* nodes,
                                                              const cudaGraphEdgeData* /*data*/,
                                                              size_t count, unsigned flags) {
  return UpdateDependencies(stream, nodes, count, flags);
}

#if CUDART_VERSION >= 13000

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** nodes, const cudaGraphEdgeData** data,
                                     size_t* count) {
  return GetInfo(stream, {status, id, graph, nodes, data, count});
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData* /*data*/, size_t count,
                                                unsigned flags) {
  return UpdateDependencies(stream, nodes, count, flags);
}

#else

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id) {
  return GetInfo(stream, {.status = status, .id = id});
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                size_t count, unsigned flags) {
  return UpdateDependencies(stream, nodes, count, flags);
}

#endif
