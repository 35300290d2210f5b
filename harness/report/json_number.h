// Points as a JSON number: 40, 12.5.
#pragma once

#include <nlohmann/json.hpp>

#include "grading/rubric.h"

namespace warpcheck {

inline nlohmann::ordered_json Number(Points points) {
  if (points.hundredths() % 100 == 0) return points.hundredths() / 100;
  return points.Number();
}

}  // namespace warpcheck
