// Starts `warpcheck batch` as a person does, with a stub that grades, and with a class in a folder.
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
  // Hands in for the students s0, s1 and so on. Each text ends with the student's number.
  void HandInClass(int students, const std::string& text);

  // Starts a batch of the class into the folder `out`, with further options. Its output goes to the
  // file "log". If `file_bytes` is not 0, no file of the batch can become larger.
  pid_t Start(const std::string& out, const std::vector<std::string>& more = {},
              rlim_t file_bytes = 0);
  // Starts another command of `warpcheck`.
  pid_t StartCommand(std::vector<std::string> words, rlim_t file_bytes = 0);
  // Returns the exit status, or the negative number of the signal.
  static int StatusOf(pid_t pid);

  // Returns the contents of a file in the test's folder.
  std::string Output(const std::string& name) const;

  TemporaryFolder folder_;
};

}  // namespace warpcheck::batch
