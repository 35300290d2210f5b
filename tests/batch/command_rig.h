// `warpcheck batch` as a person starts it, with a stub that grades and a class in a folder.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "grading/temporary_folder.h"

namespace warpcheck::batch {

class BatchProgramTest : public testing::Test {
 protected:
  BatchProgramTest();
  ~BatchProgramTest() override;

  void HandIn(const std::string& id, const std::string& text);
  // s0, s1 and so on, whose texts end in their numbers.
  void HandInClass(int students, const std::string& text);

  // A batch of the class into the folder `out`, with further options; what it prints goes to the
  // file "log". No file of it may grow beyond `file_bytes`, where they are not 0.
  pid_t Start(const std::string& out, const std::vector<std::string>& more = {},
              rlim_t file_bytes = 0);
  // Another command of `warpcheck`.
  pid_t StartCommand(std::vector<std::string> words, rlim_t file_bytes = 0);
  // Its exit status, or minus the signal.
  static int StatusOf(pid_t pid);

  // What a file of the test's folder holds.
  std::string Output(const std::string& name) const;

  TemporaryFolder folder_;
};

}  // namespace warpcheck::batch
