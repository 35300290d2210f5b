#include "order/stream_names.h"

#include <fmt/format.h>

namespace warpcheck::order {

void StreamNames::Read(const HostEvent& event) {
  if (event.kind != HostEvent::Kind::kStreamCreate || IsOfGraph(event.stream)) return;
  const int number = static_cast<int>(streams_.size()) + 1;
  streams_[event.stream] = {.number = number,
                            .non_blocking = event.stream_kind == StreamKind::kNonBlocking};
}

std::string StreamNames::NameOf(Handle stream) const {
  if (stream == kDefaultStream) return "the default stream";
  if (stream >= kFirstOfThreads) {
    return fmt::format("the default stream of thread {}", stream - kFirstOfThreads + 1);
  }
  const auto found = streams_.find(stream);
  return fmt::format("stream {}", found == streams_.end() ? 0 : found->second.number);
}

std::string StreamNames::NameOf(const HostEvent& event) const {
  return event.node ? "a graph in " + NameOf(event.node->launched_in) : NameOf(event.stream);
}

bool StreamNames::IsNonBlocking(const HostEvent& event) const {
  const auto found = streams_.find(event.node ? event.node->launched_in : event.stream);
  return found != streams_.end() && found->second.non_blocking;
}

}  // namespace warpcheck::order
