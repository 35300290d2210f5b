// Defines the functions of the runtime API that warpcheck does not offer. The definitions have no
// parameters, because the functions do not read them: the caller passes and removes them by itself.
#include "cudart/call.h"

#define UNSUPPORTED(name)                                                                    \
  extern "C" cudaError_t Unsupported_##name() __asm__(#name);                                \
  extern "C" cudaError_t Unsupported_##name() {                                              \
    return warpcheck::cudart::Call(warpcheck::cudart::Timing::kHost,                         \
                                   [](warpcheck::cudart::Runtime& runtime) {                 \
                                     return warpcheck::cudart::NotSupported(runtime, #name); \
                                   });                                                       \
  }
#include "cudart/calls/unsupported.def"
#undef UNSUPPORTED
