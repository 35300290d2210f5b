// The functions of the runtime API that warpcheck does not offer. They are defined without their
// parameters, which none of them reads: a caller passes and removes them by itself.
#include "cudart/call.h"

#define UNSUPPORTED(name)                                                                    \
  extern "C" cudaError_t Unsupported_##name() __asm__(#name);                                \
  extern "C" cudaError_t Unsupported_##name() {                                              \
    return warpcheck::cudart::Call(warpcheck::cudart::Timing::kHost,                         \
                                   [](warpcheck::cudart::Runtime& runtime) {                 \
                                     return warpcheck::cudart::NotSupported(runtime, #name); \
                                   });                                                       \
  }
#include "cudart/unsupported.def"
#undef UNSUPPORTED
