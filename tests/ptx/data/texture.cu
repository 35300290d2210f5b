// This kernel uses a texture in a form that is parsed, but that no device executes.
__global__ void sample(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x, 0.5f);
}
