// The planes of a volume are set in two streams with cudaMemset3DAsync() and cudaMemcpy3DAsync().
// WRONG: both treat the middle plane.
// finds: unordered_use
// prints: 58560
#include <cstdio>
#include <vector>

int main() {
  const int w = 48, h = 20, d = 9;
  const int middle = d / 2;
  cudaPitchedPtr volume;
  cudaMalloc3D(&volume, make_cudaExtent(w, h, d));
  cudaPitchedPtr host;
  host.pitch = w;
  host.xsize = w;
  host.ysize = h;
  cudaMallocHost(&host.ptr, w * h * d);
  unsigned char* bytes = static_cast<unsigned char*>(host.ptr);
  for (int i = 0; i < w * h * d; i++) bytes[i] = 5;
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);

#ifdef WRONG
  const int planes = middle + 1;
#else
  const int planes = middle;
#endif
  cudaMemset3DAsync(volume, 9, make_cudaExtent(w, h, planes), s);  // named
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = host;
  copy.srcPos = make_cudaPos(0, 0, middle);
  copy.dstPtr = volume;
  copy.dstPos = make_cudaPos(0, 0, middle);
  copy.extent = make_cudaExtent(w, h, d - middle);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3DAsync(&copy, t);  // named
  cudaDeviceSynchronize();

  cudaMemcpy3DParms back = {};
  back.srcPtr = volume;
  back.dstPtr = host;
  back.extent = make_cudaExtent(w, h, d);
  back.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&back);
  int sum = 0;
  for (int i = 0; i < w * h * d; i++) sum += bytes[i];
  printf("%d\n", sum);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(volume.ptr);
  cudaFreeHost(host.ptr);
}
