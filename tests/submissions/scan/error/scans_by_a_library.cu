// score: 0
// says: <thrust/device_ptr.h> is not allowed here
// The program leaves the exercise to a library.
#include <thrust/device_ptr.h>  // expect: is not allowed here
#include <thrust/scan.h>

#include "scan.h"

void exclusive_scan(const int* in, int* out, int n) {
  const thrust::device_ptr<const int> from(in);
  thrust::exclusive_scan(from, from + n, thrust::device_ptr<int>(out));
}
