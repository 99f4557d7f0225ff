// A dlfilter that drops every sample: in filter_event_early(), or with -DDROPS_LATE in filter_event().
struct perf_dlfilter_sample;

extern "C" {
#ifdef DROPS_LATE
int filter_event(void*, const perf_dlfilter_sample*, void*);
int filter_event(void*, const perf_dlfilter_sample*, void*) { return 1; }
#else
int filter_event_early(void*, const perf_dlfilter_sample*, void*);
int filter_event_early(void*, const perf_dlfilter_sample*, void*) { return 1; }
#endif
}
