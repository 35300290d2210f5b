#include "checks/reference_store.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "checks/fakes.h"
#include "grading/temporary_folder.h"

// Linked in as a reference would be.
void kept_reference(const float*, float*, int) {}

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

template <class T>
std::shared_ptr<ArrayStart> ArrayOf(const std::vector<T>& values, bool is_input) {
  return std::make_shared<ArrayStart>(
      ArrayStart{typeid(T), {values.size()}, BytesOf(values), is_input});
}

std::shared_ptr<ArrayStart> Unwritten(std::size_t bytes) {
  auto array = ArrayOf(std::vector<float>(bytes / sizeof(float)), false);
  array->bytes = std::vector(bytes, std::byte{0xFF});
  array->unwritten = {{0, bytes}};
  return array;
}

std::shared_ptr<const Plan> PlanOf(const std::vector<float>& in, int number,
                                   std::shared_ptr<const ArrayStart> out = Unwritten(8)) {
  return std::make_shared<const Plan>(MakePlan(&kept_reference,
                                               DeviceArray<const float>{ArrayOf(in, true)},
                                               DeviceArray<float>{std::move(out)}, number));
}

// What a call of the plan might have done.
Trial RunOf(const std::shared_ptr<const Plan>& plan) {
  Trial trial = NewTrial(plan);
  trial.outcome.end = remote::CallEnd::kReturned;
  trial.arrays.push_back({plan->arrays[0], plan->arrays[0]->bytes});
  trial.arrays.push_back({plan->arrays[1], BytesOf(std::vector<float>{3, 4})});
  trial.launched = 2;
  trial.launches = {LaunchOf("first"), LaunchOf("second")};
  AddLine(trial.launches[1], 7, {.sectors = 9, .sectors_ideal = 8});
  trial.traffic.read_back = 5;
  trial.traffic.differs = "frees memory";
  trial.device_output = "said\nso";
  return trial;
}

class ReferenceStoreTest : public testing::Test {
 protected:
  std::vector<fs::path> Files() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_)) files.push_back(entry.path());
    return files;
  }

  TemporaryFolder owner_;
  const fs::path folder_ = owner_.path();
  CallLimits limits_;
  std::shared_ptr<const Plan> plan_ = PlanOf({1, 2}, 17);
};

TEST_F(ReferenceStoreTest, GivesBackWhatAnotherHasKept) {
  const Trial run = RunOf(plan_);
  ReferenceStore(folder_, "judge").Keep(run, limits_);
  const auto plan = PlanOf({1, 2}, 17);  // of another process: equal, not the same
  const auto found = ReferenceStore(folder_, "judge").Find(plan, limits_);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->returned());
  EXPECT_EQ(found->plan, plan);
  EXPECT_EQ(found->function, run.function);
  EXPECT_EQ(found->outcome, run.outcome);
  EXPECT_EQ(found->launched, run.launched);
  EXPECT_EQ(found->launches, run.launches);
  EXPECT_EQ(found->traffic, run.traffic);
  EXPECT_EQ(found->device_output, run.device_output);
  ASSERT_EQ(found->arrays.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(found->arrays[i].start, plan->arrays[i]);
    EXPECT_EQ(found->arrays[i].bytes, run.arrays[i].bytes);
  }
}

TEST_F(ReferenceStoreTest, TellsCallsApart) {
  const ReferenceStore store(folder_, "judge");
  store.Keep(RunOf(plan_), limits_);
  EXPECT_FALSE(store.Find(PlanOf({1, 3}, 17), limits_)) << "other inputs";
  EXPECT_FALSE(store.Find(PlanOf({1, 2, 0}, 17), limits_)) << "a longer input";
  EXPECT_FALSE(store.Find(PlanOf({1, 2}, 18), limits_)) << "another number";
  EXPECT_FALSE(store.Find(PlanOf({1, 2}, 17, Unwritten(12)), limits_)) << "a larger output";
  EXPECT_FALSE(store.Find(PlanOf({1, 2}, 17, ArrayOf<float>({1, 2}, false)), limits_))
      << "an output that holds something";
  EXPECT_FALSE(store.Find(plan_, {.instructions = 1})) << "another budget";
  EXPECT_FALSE(ReferenceStore(folder_, "another").Find(plan_, limits_)) << "another judge";
  EXPECT_TRUE(store.Find(plan_, limits_));
}

TEST_F(ReferenceStoreTest, DoesNotBelieveADamagedFile) {
  const ReferenceStore store(folder_, "judge");
  store.Keep(RunOf(plan_), limits_);
  ASSERT_EQ(Files().size(), 1u);
  const std::string whole = *ReadFile(Files()[0]);
  std::string damaged = whole;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  for (const std::string& text : {damaged, whole.substr(0, whole.size() - 1), std::string()}) {
    ASSERT_TRUE(WriteFile(Files()[0], text));
    EXPECT_FALSE(store.Find(plan_, limits_));
  }
  store.Keep(RunOf(plan_), limits_);
  EXPECT_TRUE(store.Find(plan_, limits_));
}

// As if two calls had the same digest.
TEST_F(ReferenceStoreTest, ComparesTheCallItself) {
  const ReferenceStore store(folder_, "judge");
  store.Keep(RunOf(plan_), limits_);
  const fs::path file = Files().front();
  const std::string whole = *ReadFile(file);
  fs::remove(file);
  const auto other = PlanOf({1, 3}, 17);
  store.Keep(RunOf(other), limits_);
  EXPECT_TRUE(store.Find(other, limits_));
  ASSERT_TRUE(WriteFile(Files().front(), whole));
  EXPECT_FALSE(store.Find(other, limits_));
}

TEST_F(ReferenceStoreTest, HoldsNoMoreThanItMay) {
  const ReferenceStore store(folder_, "judge", 1);
  store.Keep(RunOf(plan_), limits_);
  EXPECT_TRUE(Files().empty());
  EXPECT_FALSE(store.Find(plan_, limits_));
}

TEST_F(ReferenceStoreTest, DoesWithoutAFolderThatIsGone) {
  fs::remove_all(folder_);
  const ReferenceStore store(folder_, "judge");
  store.Keep(RunOf(plan_), limits_);
  EXPECT_FALSE(store.Find(plan_, limits_));
}

}  // namespace
}  // namespace warpcheck
