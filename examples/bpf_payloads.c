/* Prints a field of what a BPF program sends, and counts what was lost, in C: bpf_payloads_c MAP FIELD SECONDS */
#include <perfsift/perfsift.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int print(perfsift_payload_reader* reader, const char* field, perfsift_error** error) {
  size_t i;
  perfsift_payloads* payloads;
  if (perfsift_payload_reader_wait(reader, 100, error) != 0) return 1;
  payloads = perfsift_payload_reader_take(reader, error);
  if (payloads == NULL) return 1;
  for (i = 0; i < perfsift_payloads_count(payloads); ++i) {
    uint64_t number = 0;
    if (perfsift_payloads_number(payloads, i, field, &number, error) != 0) return 1;
    printf("%lu\n", (unsigned long)number);
  }
  perfsift_payloads_free(payloads);
  return 0;
}

int main(int argc, char** argv) {
  size_t i;
  time_t end;
  perfsift_error* error = NULL;
  perfsift_payload_options options = PERFSIFT_PAYLOAD_OPTIONS_INIT;
  perfsift_payload_reader* reader;
  if (argc != 4) return 2;
  options.map = argv[1];
  reader = perfsift_payload_reader_new(&options, &error);
  end = time(NULL) + atoi(argv[3]);
  while (error == NULL && time(NULL) < end && print(reader, argv[2], &error) == 0) continue;
  for (i = 0; i < perfsift_payload_reader_rings(reader); ++i) {
    perfsift_payload_counts ring = PERFSIFT_PAYLOAD_COUNTS_INIT;
    if (perfsift_payload_reader_counts(reader, i, &ring, &error) != 0) break;
    fprintf(stderr, "CPU %d: %lu received, ", ring.cpu, (unsigned long)ring.received);
    if (ring.lost != PERFSIFT_NONE) fprintf(stderr, "%lu lost\n", (unsigned long)ring.lost);
    if (ring.lost == PERFSIFT_NONE) fprintf(stderr, "an unknown number of lost\n");
  }
  if (error != NULL) fprintf(stderr, "%s\n", perfsift_error_message(error));
  perfsift_payload_reader_free(reader);
  return error != NULL;
}
