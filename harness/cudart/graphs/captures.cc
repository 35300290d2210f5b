#include "cudart/graphs/captures.h"

#include <algorithm>

#include "cudart/order/thread_stream.h"

namespace warpcheck::cudart {

StreamKey KeyOf(cudaStream_t stream) {
  if (IsOfThread(stream)) return {cudaStreamPerThread, ThisThread()};
  return {stream == cudaStreamLegacy ? nullptr : stream, {}};
}

bool IsLegacy(cudaStream_t stream) { return KeyOf(stream).first == nullptr; }

void AddTo(NodeList& nodes, const NodeList& more) {
  for (const cudaGraphNode_t node : more) {
    if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
  }
}

Capture* Captures::Of(cudaStream_t stream) {
  if (captures_.empty()) return nullptr;
  const StreamKey key = KeyOf(stream);
  const auto found = std::ranges::find_if(
      captures_, [&](const Capture& capture) { return capture.streams.contains(key); });
  return found == captures_.end() ? nullptr : &*found;
}

Capture* Captures::Find(std::uint64_t id) {
  const auto found = std::ranges::find(captures_, id, &Capture::id);
  return found == captures_.end() ? nullptr : &*found;
}

Capture& Captures::Begin(Capture capture) {
  capture.id = ++last_id_;
  return captures_.emplace_back(std::move(capture));
}

void Captures::End(const Capture& capture) {
  const std::uint64_t id = capture.id;
  captures_.remove_if([=](const Capture& one) { return one.id == id; });
}

Capture* Captures::TiedToLegacy() {
  const auto found = std::ranges::find_if(
      captures_, [](const Capture& capture) { return capture.blocking && !capture.invalid; });
  return found == captures_.end() ? nullptr : &*found;
}

Capture* Captures::ThatForbids(bool always) {
  const HostThread me = ThisThread();
  const auto own = modes_.find(me);
  const auto mode = own == modes_.end() ? cudaStreamCaptureModeGlobal : own->second;
  const auto forbids = [&](const Capture& capture) {
    if (capture.invalid) return false;
    if (always) return true;
    if (mode == cudaStreamCaptureModeRelaxed) return false;
    if (capture.thread == me) return capture.mode != cudaStreamCaptureModeRelaxed;
    return mode == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
  };
  const auto found = std::ranges::find_if(captures_, forbids);
  return found == captures_.end() ? nullptr : &*found;
}

cudaStreamCaptureMode Captures::ExchangeMode(cudaStreamCaptureMode mode) {
  const auto [own, is_new] = modes_.try_emplace(ThisThread(), cudaStreamCaptureModeGlobal);
  return std::exchange(own->second, mode);
}

const Captures::Recorded* Captures::Find(cudaEvent_t event) const {
  const auto found = events_.find(event);
  return found == events_.end() ? nullptr : &found->second;
}

// Numbers of captures are never used again.
void Captures::Clear() {
  const std::uint64_t last = last_id_;
  *this = {};
  last_id_ = last;
}

}  // namespace warpcheck::cudart
