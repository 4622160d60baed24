// What a shared library of Orbox lets out: everything else in it is hidden, so
// that loading is quick and no program comes to rely on what may change.
//
//   ORBOX_EXPORT bool Overlaps(...);
//   class ORBOX_EXPORT Tree { ... };
//
// What the other library or the command calls of the inside is marked as well;
// that is no part of the interface. Windows exports all
// (WINDOWS_EXPORT_ALL_SYMBOLS).
#ifndef ORBOX_OVERLAP_BASE_EXPORT_H_
#define ORBOX_OVERLAP_BASE_EXPORT_H_

#if defined(__GNUC__) && !defined(_WIN32)
#define ORBOX_EXPORT __attribute__((visibility("default")))
#else
#define ORBOX_EXPORT
#endif

#endif  // ORBOX_OVERLAP_BASE_EXPORT_H_
