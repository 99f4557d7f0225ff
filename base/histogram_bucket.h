// The buckets of histograms that are stored, or made in the kernel: their numbers never change.
//
//   0 1 2 … 7     buckets of one value
//   8 … 15        8 buckets for 8 to 15
//   16 … 23       8 buckets for 16 to 31
//
// There are 8 buckets for each power of two, so a bucket is at most an eighth of its values wide. Included by C for BPF
// and by C++.
#pragma once

#define HISTOGRAM_SUB_BUCKET_BITS 3

#ifdef __cplusplus
namespace perfsift {
#endif

// clang 14 makes no call of a library for this in BPF.
static inline __attribute__((always_inline)) unsigned long long histogram_bucket(unsigned long long value) {
  unsigned int shift = 0;
  unsigned long long rest = value >> HISTOGRAM_SUB_BUCKET_BITS;
  if (rest >> 32) shift += 32, rest >>= 32;
  if (rest >> 16) shift += 16, rest >>= 16;
  if (rest >> 8) shift += 8, rest >>= 8;
  if (rest >> 4) shift += 4, rest >>= 4;
  if (rest >> 2) shift += 2, rest >>= 2;
  if (rest >> 1) shift += 1, rest >>= 1;
  if (rest == 0) return value;
  const unsigned long long first = (shift + 1) << HISTOGRAM_SUB_BUCKET_BITS;
  return first + ((value >> shift) & ((1 << HISTOGRAM_SUB_BUCKET_BITS) - 1));
}

#ifdef __cplusplus
}
#endif
