#include "hardware/limiter_json.h"

#include <cmath>
#include <optional>
#include <string>

#include "base/json/record.h"
#include "hardware/limiter.h"
#include "hardware/measured_limiter.h"

namespace warpcheck {

nlohmann::ordered_json LimiterJson(const LaunchRecord& record, std::uint64_t launches) {
  if (const auto measured = LimiterOf(record)) {
    const LimiterText text = TextOf(record);
    return {{"measured", NameOf(*measured)}, {"text", text.limiter}, {"advice", text.advice}};
  }
  const auto bounds = BoundsOf(record, launches);
  const auto work = bounds ? bounds->LikelyOfWork() : std::nullopt;
  if (!work) return nullptr;
  nlohmann::ordered_json cycles = nlohmann::ordered_json::object();
  for (const LimiterBound& bound : bounds->Ranked()) {
    cycles[std::string(NameOf(bound.resource))] = std::ceil(bound.cycles);
  }
  const LimiterText text = TextOf(*bounds, record.counters);
  return {{"likely", NameOf(bounds->Likely())},
          {"of_work", NameOf(*work)},
          {"cycles", std::move(cycles)},
          {"text", text.limiter},
          {"advice", text.advice}};
}

}  // namespace warpcheck
