// The ways between us and a supervisor: a socket, and pipes for what its program prints. All close
// on exec.
#pragma once

#include "base/descriptor.h"
#include "base/result.h"

namespace warpcheck::sandbox {

class Channels {
 public:
  static Result<Channels> Make();

  // Our ends: of a SOCK_SEQPACKET socket, of pipes that do not block.
  Descriptor TakeControl() { return std::move(control_); }
  Descriptor TakeOutput() { return std::move(output_); }
  Descriptor TakeErrors() { return std::move(errors_); }

  // Theirs, closed here with the channels.
  int their_control() const { return their_control_.get(); }
  int their_output() const { return their_output_.get(); }
  int their_errors() const { return their_errors_.get(); }
  int null() const { return null_.get(); }  // for reading

 private:
  Descriptor control_, output_, errors_;
  Descriptor their_control_, their_output_, their_errors_, null_;
};

}  // namespace warpcheck::sandbox
