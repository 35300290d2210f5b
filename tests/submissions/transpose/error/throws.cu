// score: 0
// says: exception
// The function throws an exception.
#include <stdexcept>

#include "transpose.h"

void transpose(const float*, float*, int rows, int) {
  if (rows > 0) throw std::runtime_error("not implemented yet");
}
