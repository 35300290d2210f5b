#include "order/host_log.h"

#include <algorithm>

namespace warpcheck::order {

void HostLog::Append(HostEvent event) {
  const auto needs_site = [&](const LogReader* reader) { return reader->NeedsSite(event); };
  if (event.site.address == 0 && std::ranges::any_of(readers_, needs_site)) {
    event.site = running_call_();
  }
  for (LogReader* const reader : readers_) reader->Read(event);
}

}  // namespace warpcheck::order
