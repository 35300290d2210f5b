// score: 0
// says: longer than
// The program sleeps forever.
#include <unistd.h>

#include "transpose.h"

void transpose(const float*, float*, int, int) {
  for (;;) pause();
}
