#include "settle.h"

void settle(const float* start, float* out, int n, float tolerance) {
  // TODO: make rounds until no number changes by more than the tolerance
}
