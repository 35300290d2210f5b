// Events: what they order, and what they do not.
#include "cases.h"

// The event is recorded before the work that it should stand for.
// case recorded_too_early: unordered_use
void RecordedTooEarly(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream first, second;
  Event done;
  if (wrong) CHECK(cudaEventRecord(done, first));
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // recorded_too_early: earlier
  if (!wrong) CHECK(cudaEventRecord(done, first));
  CHECK(cudaStreamWaitEvent(second, done));
  Add<<<Blocks(kCount), kBlock, 0, second>>>(data, data, sum, kCount);  // recorded_too_early: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// The event is recorded in the stream that waits.
// case recorded_in_wrong_stream: unordered_use
void RecordedInWrongStream(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream first, second;
  Event done;
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // recorded_in_wrong_stream: earlier
  CHECK(cudaEventRecord(done, wrong ? second : first));
  CHECK(cudaStreamWaitEvent(second, done));
  Add<<<Blocks(kCount), kBlock, 0, second>>>(data, data, sum, kCount);  // recorded_in_wrong_stream: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// A wait for an event that is recorded only later waits for nothing.
// case wait_before_record: unordered_use
// wait_before_record says: cudaStreamWaitEvent (events.cu:42) waits for an event that is recorded only later (events.cu:44): it waits for nothing
void WaitBeforeRecord(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream first, second;
  Event done;
  if (wrong) CHECK(cudaStreamWaitEvent(second, done));
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // wait_before_record: earlier
  CHECK(cudaEventRecord(done, first));
  if (!wrong) CHECK(cudaStreamWaitEvent(second, done));
  Add<<<Blocks(kCount), kBlock, 0, second>>>(data, data, sum, kCount);  // wait_before_record: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// case never_recorded: unrecorded_event
void NeverRecorded(bool wrong) {
  float* data = OnDevice();
  Stream first, second;
  Event done;
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);
  if (!wrong) CHECK(cudaEventRecord(done, first));
  CHECK(cudaStreamWaitEvent(second, done));  // never_recorded: later
  Finish();
  CHECK(cudaFree(data));
}

// The wait is given to a third stream.
// case wrong_stream_waits: unordered_use
void WrongStreamWaits(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream first, second, third;
  Event done;
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // wrong_stream_waits: earlier
  CHECK(cudaEventRecord(done, first));
  CHECK(cudaStreamWaitEvent(wrong ? third : second, done));
  Add<<<Blocks(kCount), kBlock, 0, second>>>(data, data, sum, kCount);  // wrong_stream_waits: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// The host waits for an event that was recorded before the last kernel.
// case host_waits_for_event: unordered_use
void HostWaitsForEvent(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream first, second;
  Event done;
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);
  if (wrong) CHECK(cudaEventRecord(done, first));
  Scale<<<Blocks(kCount), kBlock, 0, first>>>(data, 2, kCount);  // host_waits_for_event: earlier
  if (!wrong) CHECK(cudaEventRecord(done, first));
  CHECK(cudaEventSynchronize(done));
  Add<<<Blocks(kCount), kBlock, 0, second>>>(data, data, sum, kCount);  // host_waits_for_event: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// One event for two buffers: the second record takes the place of the first.
// case one_event_for_two: unordered_use
void OneEventForTwo(bool wrong) {
  float *a = OnDevice(), *b = OnDevice(), *sum = OnDevice();
  Stream first, second, third;
  Event done, other;
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(a, 1, kCount);  // one_event_for_two: earlier
  CHECK(cudaEventRecord(done, first));
  Fill<<<Blocks(kCount), kBlock, 0, second>>>(b, 1, kCount);
  CHECK(cudaEventRecord(wrong ? done : other, second));
  CHECK(cudaStreamWaitEvent(third, done));
  if (!wrong) CHECK(cudaStreamWaitEvent(third, other));
  Add<<<Blocks(kCount), kBlock, 0, third>>>(a, b, sum, kCount);  // one_event_for_two: later
  Finish();
  for (float* pointer : {a, b, sum}) CHECK(cudaFree(pointer));
}

// case event_after_destroy: invalid_handle
void EventAfterDestroy(bool wrong) {
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventRecord(event));
  if (wrong) CHECK(cudaEventDestroy(event));  // event_after_destroy: earlier
  (void)cudaEventSynchronize(event);          // event_after_destroy: later
  if (!wrong) CHECK(cudaEventDestroy(event));
}

int main(int argc, char** argv) {
  return RunCase({{"recorded_too_early", RecordedTooEarly},
                  {"recorded_in_wrong_stream", RecordedInWrongStream},
                  {"wait_before_record", WaitBeforeRecord},
                  {"never_recorded", NeverRecorded},
                  {"wrong_stream_waits", WrongStreamWaits},
                  {"host_waits_for_event", HostWaitsForEvent},
                  {"one_event_for_two", OneEventForTwo},
                  {"event_after_destroy", EventAfterDestroy}},
                 argc, argv);
}
