#include "order/completion_queries.h"

namespace warpcheck::order {

void CompletionQueries::Read(const HostEvent& event) {
  if (event.IsOperation()) asked_.erase(event.stream);
  if (event.kind == HostEvent::Kind::kEventRecord) asked_.erase(event.event);
  if (event.kind == HostEvent::Kind::kReset) asked_.clear();
}

}  // namespace warpcheck::order
