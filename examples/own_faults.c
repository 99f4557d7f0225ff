/* Counts the page faults of a loop that touches fresh memory, in C: own_faults */
#include <perfsift/perfsift.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 1 << 20 };

int main(void) {
  unsigned long in_memory = 0;
  size_t i;
  uint64_t lost = 0;
  perfsift_error* error = NULL;
  perfsift_sampling_options options = PERFSIFT_SAMPLING_OPTIONS_INIT;
  perfsift_sampler* sampler;
  perfsift_live_samples* samples;
  char* memory = malloc(SIZE);
  options.event = "page-faults";
  options.period = 1;
  sampler = perfsift_sampler_new(&options, &error);
  if (memory == NULL || sampler == NULL) {
    fprintf(stderr, "%s\n", perfsift_error_message(error));
    return 1;
  }
  perfsift_sampler_start(sampler);
  for (i = 0; i < SIZE; i += 4096) ((volatile char*)memory)[i] = 1;
  perfsift_sampler_stop(sampler);
  samples = perfsift_sampler_take(sampler, &error);
  for (i = 0; i < perfsift_live_samples_count(samples); ++i) {
    perfsift_live_sample sample = PERFSIFT_LIVE_SAMPLE_INIT;
    if (perfsift_live_samples_get(samples, i, &sample, &error) != 0) return 1;
    if (sample.address - (uintptr_t)memory < SIZE) ++in_memory;
  }
  perfsift_sampler_lost(sampler, &lost, &error);
  printf("%lu page faults in the memory, %lu samples lost\n", in_memory, (unsigned long)lost);
  perfsift_live_samples_free(samples);
  perfsift_sampler_free(sampler);
  free(memory);
  return 0;
}
