// Implements the launch of executable graphs (CUDA Runtime API, "Graph Management").
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "cudart/call.h"
#include "cudart/calls/graphs/graph_memory.h"
#include "cudart/calls/launch.h"
#include "cudart/stream_capture.h"
#include "cudart/stream_memory.h"
#include "cudart/transfer.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {
namespace {

cudaError_t FreeInGraph(Runtime& runtime, Lane lane, GraphMemory& memory) {
  if (!memory.live) return cudaErrorInvalidValue;
  NoteFree(runtime, lane, memory.pointer);
  runtime.misuse.Freed(memory.pointer);
  memory.live = false;
  return cudaSuccess;
}

// Runs the work of a node in a launch.
struct RunWork {
  Runtime& runtime;
  Lane lane;  // with a node
  std::optional<HostNode>& host;

  cudaError_t operator()(const KernelNode& kernel) const {
    return RunKernel(runtime, lane, kernel, lane.node->place);
  }
  cudaError_t operator()(const CopyNode& copy) const {
    return CopyInOrder(runtime, Timing::kQueue, lane, copy);
  }
  cudaError_t operator()(const FillNode& fill) const {
    return FillInOrder(runtime, true, lane, fill);
  }
  cudaError_t operator()(const HostNode& node) const {
    runtime.host.Append(runtime.host.HostFunctionIn(lane));
    host = node;
    return cudaSuccess;
  }
  cudaError_t operator()(const ChildNode&) const { return cudaSuccess; }  // has steps of its own
  cudaError_t operator()(const EmptyNode&) const { return cudaSuccess; }
  cudaError_t operator()(const RecordNode& record) const {
    if (runtime.streams.Find(record.event) == nullptr) return cudaErrorInvalidResourceHandle;
    runtime.Record(record.event, lane);
    return cudaSuccess;
  }
  cudaError_t operator()(const WaitNode& wait) const {
    if (runtime.streams.Find(wait.event) == nullptr) return cudaErrorInvalidResourceHandle;
    runtime.host.Append(
        runtime.host.EventIn(lane, HostEvent::Kind::kStreamWait, HandleOf(wait.event)));
    return cudaSuccess;
  }
  cudaError_t operator()(const AllocNode& alloc) const {
    GraphMemory& memory = *alloc.memory;
    memory.live = true;
    runtime.graphs.NoteUsed();
    const auto address = reinterpret_cast<DeviceAddress>(memory.pointer);
    runtime.device->MarkUnwritten(address, memory.bytes);
    runtime.misuse.Allocated(memory.pointer, memory.bytes);
    NoteAllocation(runtime, lane, memory.pointer, memory.bytes);
    return cudaSuccess;
  }
  cudaError_t operator()(const FreeNode& free) const {
    return FreeInGraph(runtime, lane, *free.memory);
  }
};

// Refuses a launch whose memory is still allocated, or frees that memory.
cudaError_t FreeOfLastLaunch(Runtime& runtime, const GraphExec& exec, cudaStream_t stream) {
  for (const Step& step : exec.schedule.steps) {
    const auto* const alloc =
        step.node == nullptr ? nullptr : std::get_if<AllocNode>(&step.node->work);
    if (alloc == nullptr || !alloc->memory->live) continue;
    if ((exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) == 0) return cudaErrorInvalidValue;
    WARPCHECK_TRY_CODE(FreeInGraph(runtime, stream, *alloc->memory));
  }
  return cudaSuccess;
}

// A GraphRun is one launch. It runs step by step, because functions of the host run outside of the
// runtime's mutex.
class GraphRun {
 public:
  GraphRun(std::shared_ptr<GraphExec> exec, cudaStream_t stream)
      : exec_(std::move(exec)), stream_(stream) {}

  // Runs steps up to the end, or to a function of the host, which host() returns then.
  cudaError_t Continue(Runtime& runtime) {
    const Schedule& schedule = exec_->schedule;
    host_.reset();
    if (next_ == 0) exec_->order.Begin(runtime.host, stream_, schedule);
    while (next_ < schedule.steps.size() && !host_) {
      const cudaError_t error = RunStep(runtime, next_++);
      if (error != cudaSuccess) return error;
    }
    if (!host_) exec_->order.End(runtime.host, stream_, schedule);
    return cudaSuccess;
  }
  const std::optional<HostNode>& host() const { return host_; }

 private:
  cudaError_t RunStep(Runtime& runtime, std::size_t index) {
    const Schedule& schedule = exec_->schedule;
    const Node* const node = schedule.steps[index].node;
    const LaunchedNode launched = exec_->order.BeginStep(runtime.host, stream_, schedule, index);
    const Lane lane(stream_, &launched);
    const cudaError_t error = node == nullptr || !node->enabled
                                  ? cudaSuccess
                                  : std::visit(RunWork{runtime, lane, host_}, node->work);
    exec_->order.EndStep(runtime.host, lane, schedule, index);
    return error;
  }

  std::shared_ptr<GraphExec> exec_;
  cudaStream_t stream_;
  std::size_t next_ = 0;
  std::optional<HostNode> host_;
};

// A launch that is captured is a child graph.
cudaError_t CaptureLaunch(Runtime& runtime, Capture& capture, cudaStream_t stream,
                          const GraphExec& exec) {
  if (exec.graph->HasMemoryNodes()) {
    return Invalidate(runtime, capture, cudaErrorStreamCaptureUnsupported);
  }
  return AddCaptured(runtime, capture, stream, ChildNode{runtime.graphs.Clone(*exec.graph, false)});
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  std::optional<GraphRun> run;
  cudaError_t error = Call(Timing::kQueue, [&](Runtime& runtime) {
    const auto found = runtime.graphs.Find(exec);
    if (found == nullptr) return cudaErrorInvalidValue;
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    const auto [refused, capture] = AdmitWork(runtime, stream, Timing::kQueue);
    if (refused != cudaSuccess) return refused;
    if (capture != nullptr) return CaptureLaunch(runtime, *capture, stream, *found);
    WARPCHECK_TRY_CODE(FreeOfLastLaunch(runtime, *found, stream));
    run.emplace(found, stream);
    return run->Continue(runtime);
  });
  while (error == cudaSuccess && run && run->host()) {
    const warpcheck::cudart::HostNode host = *run->host();
    host.function(host.data);
    bool went_on = false;
    error = Call(Timing::kQueue, [&](Runtime& runtime) {
      went_on = true;
      return run->Continue(runtime);
    });
    if (!went_on) break;
  }
  return error;
}
