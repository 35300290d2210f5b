#include "cudart/stream_capture.h"

#include <fmt/format.h>

#include <utility>

#include "cudart/misuse.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {
namespace {

cudaError_t AdmitLegacy(Runtime& runtime, std::uint64_t place = 0) {
  Capture* const tied = runtime.captures.TiedToLegacy();
  if (tied == nullptr) return cudaSuccess;
  return Invalidate(runtime, *tied, cudaErrorStreamCaptureImplicit,
                    "uses the default stream, which waits for every stream that is not "
                    "cudaStreamNonBlocking, while such a stream is captured",
                    place);
}

}  // namespace

Admission AdmitWork(Runtime& runtime, cudaStream_t stream, Timing timing, std::uint64_t place) {
  runtime.host.StartFor(stream);
  if (runtime.captures.empty()) return {};
  if (Capture* const capture = runtime.captures.Of(stream)) {
    if (capture->invalid) return {.error = cudaErrorStreamCaptureInvalidated};
    if (timing == Timing::kQueue) return {.capture = capture};
    return {.error = Invalidate(runtime, *capture, cudaErrorStreamCaptureUnsupported)};
  }
  if (IsLegacy(stream)) {
    const cudaError_t error = AdmitLegacy(runtime, place);
    if (error != cudaSuccess) return {.error = error};
  }
  return {.error = timing == Timing::kWait ? AdmitUnsafe(runtime) : cudaSuccess};
}

cudaError_t AdmitWait(Runtime& runtime, cudaStream_t stream) {
  runtime.host.StartFor(stream);
  if (runtime.captures.empty()) return cudaSuccess;
  if (Capture* const capture = runtime.captures.Of(stream)) {
    return Invalidate(runtime, *capture, cudaErrorStreamCaptureUnsupported);
  }
  return IsLegacy(stream) ? AdmitLegacy(runtime) : cudaSuccess;
}

cudaError_t AdmitWait(Runtime& runtime, cudaEvent_t event) {
  const Captures::Recorded* const recorded = runtime.captures.Find(event);
  if (recorded == nullptr) return AdmitUnsafe(runtime);
  constexpr std::string_view kWhy =
      "is not allowed with an event that was recorded while its stream was captured";
  if (Capture* const capture = runtime.captures.Find(recorded->capture)) {
    return Invalidate(runtime, *capture, cudaErrorCapturedEvent, kWhy);
  }
  NoteMisuse(runtime, {.kind = FindingKind::kInvalidCapture,
                       .where = runtime.lines.OfCall(CurrentCall().address),
                       .message = fmt::format("{} {}: it returned cudaErrorCapturedEvent",
                                              CurrentCall().Text(), kWhy)});
  return cudaErrorCapturedEvent;
}

cudaError_t AdmitUnsafe(Runtime& runtime, bool always) {
  if (runtime.captures.empty()) return cudaSuccess;
  Capture* const capture = runtime.captures.ThatForbids(always);
  if (capture == nullptr) return cudaSuccess;
  return Invalidate(runtime, *capture, cudaErrorStreamCaptureUnsupported);
}

cudaError_t AddCaptured(Runtime& runtime, Capture& capture, cudaStream_t stream, Work work,
                        std::uint64_t place) {
  Graph* const graph = runtime.graphs.Find(capture.graph);
  if (graph == nullptr) return cudaErrorStreamCaptureInvalidated;
  NodeList& last = capture.streams.at(KeyOf(stream));
  const CallSite site = CurrentCall();
  const Node& node = runtime.graphs.Add(*graph, {.work = std::move(work),
                                                 .after = last,
                                                 .call = site.function,
                                                 .place = place != 0 ? place : site.address});
  last = {node.handle};
  return cudaSuccess;
}

cudaError_t Invalidate(Runtime& runtime, Capture& capture, cudaError_t error, std::string_view why,
                       std::uint64_t place) {
  capture.invalid = true;
  const CallSite site = CurrentCall();
  const SourceLocation began = runtime.lines.OfCall(capture.place);
  NoteMisuse(runtime, {.kind = FindingKind::kInvalidCapture,
                       .where = runtime.lines.OfCall(place != 0 ? place : site.address),
                       .other = began,
                       .message = fmt::format(
                           "{} {}{}: it returned {}, and the capture gives no graph", site.Text(),
                           why, InBrackets(began), cudaGetErrorName(error))});
  return error;
}

}  // namespace warpcheck::cudart
