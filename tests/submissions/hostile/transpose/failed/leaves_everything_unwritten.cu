// score: 0
// says: never launched a kernel
// Does nothing, where stale memory may look right.
#include "transpose.h"

void transpose(const float*, float*, int, int) {}
