/** \file
 * What every header of the library needs: which declarations are exported, and the version of the interface.
 */
#ifndef PERFSIFT_EXPORT_H
#define PERFSIFT_EXPORT_H

/** Marks what the shared library exports. Everything else is hidden. */
#define PERFSIFT_API __attribute__((visibility("default")))

/**
 * The namespace of the interface. `v0` is part of the names of symbols, so two versions of the library can be in one
 * program. Users write `perfsift::Recording`. Inside of the library the namespace is not inline, because other code of
 * perfsift has some of the same names.
 */
#ifdef PERFSIFT_INSIDE
#define PERFSIFT_NAMESPACE perfsift::v0
#else
#define PERFSIFT_NAMESPACE perfsift::inline v0
#endif

#endif
