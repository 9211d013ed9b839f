/// The files of `Clients/page`, which are in the program.
///
/// Everything here is constant, and valid as long as the program runs.
#pragma once

#include <stddef.h>

/// A file of the page.
typedef struct CBelfryPageFile {
  /// Its name, which has no directory.
  const char *name;
  /// Its type, as `Content-Type` has it.
  const char *mediaType;
  /// Its bytes.
  const unsigned char *bytes;
  /// The number of its bytes.
  size_t byteCount;
} CBelfryPageFile;

/// Gives a file by its place, from 0 on; null behind the last.
const CBelfryPageFile *CBelfryPageFileAt(size_t place);
