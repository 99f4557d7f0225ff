/* Prints and counts the samples that a filter keeps, in C: count_samples perf.data FILTER */
#include <perfsift/perfsift.h>
#include <stdio.h>

static int count(void* data, const perfsift_sample* sample) {
  if (sample->frame_count > 0) printf("%s %s\n", sample->comm, sample->frames[0].function);
  ++*(unsigned long*)data;
  return 0;
}

int main(int argc, char** argv) {
  unsigned long samples = 0;
  perfsift_error* error = NULL;
  perfsift_recording* recording = perfsift_recording_open(argc > 1 ? argv[1] : "perf.data", &error);
  perfsift_sample_options options = PERFSIFT_SAMPLE_OPTIONS_INIT;
  options.filter = argc > 2 ? argv[2] : NULL;
  if (recording == NULL || perfsift_recording_samples(recording, &options, count, &samples, &error) != 0) {
    fprintf(stderr, "%s\n", perfsift_error_message(error));
    return 1;
  }
  printf("%lu samples\n", samples);
  perfsift_recording_close(recording);
  return 0;
}
