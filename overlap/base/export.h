// Marks what a shared library of Orbox exports. Everything else is hidden, so
// that loading is quick and no program relies on what may change.
//
//   ORBOX_EXPORT bool Overlaps(...);
//   class ORBOX_EXPORT Tree { ... };
//
// Internal functions that the other library or the command calls are also
// marked; they are no part of the interface. Windows exports everything
// (WINDOWS_EXPORT_ALL_SYMBOLS).
#ifndef ORBOX_OVERLAP_BASE_EXPORT_H_
#define ORBOX_OVERLAP_BASE_EXPORT_H_

#if defined(__GNUC__) && !defined(_WIN32)
#define ORBOX_EXPORT __attribute__((visibility("default")))
#else
#define ORBOX_EXPORT
#endif

#endif  // ORBOX_OVERLAP_BASE_EXPORT_H_
