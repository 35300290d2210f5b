// score: 0
// says: no element of the output was written
// The kernel is launched correctly but does nothing.
#include "picture.h"

__global__ void nothing() {}

void scale_picture(const float*, float*, int, int) { nothing<<<1, 1>>>(); }
