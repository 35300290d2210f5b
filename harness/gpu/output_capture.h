// OutputCapture captures what the driver writes to this process's standard output and standard
// error while a kernel ends: device-side printf and the messages of assert.
#pragma once

#include <string>

#include "base/descriptor.h"

namespace warpcheck::gpu {

// Captures the output of the whole process, from construction to Finish() or destruction. No other
// thread may write meanwhile.
class OutputCapture {
 public:
  struct Text {
    std::string out;
    std::string err;
  };

  OutputCapture();
  ~OutputCapture();
  OutputCapture(const OutputCapture&) = delete;
  OutputCapture& operator=(const OutputCapture&) = delete;

  // Ends the capture. If there was no memory for it, the output went to its usual destination.
  Text Finish();

 private:
  // A descriptor that is redirected to a file in memory.
  struct Redirection {
    int descriptor = -1;
    Descriptor saved;  // the original destination of the descriptor
    Descriptor file;

    void Begin(int redirected);
    std::string End();
  };

  Redirection out_;
  Redirection err_;
};

}  // namespace warpcheck::gpu
