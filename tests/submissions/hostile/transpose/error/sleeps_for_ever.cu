// score: 0
// says: longer than
// The program sleeps for ever.
#include <unistd.h>

#include "transpose.h"

void transpose(const float*, float*, int, int) {
  for (;;) pause();
}
