// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What the programs of this folder share: a delay of known length, and the command line.

/// Keeps the processor busy for so many milliseconds of wall-clock time. No library is called on the way that
/// a recorder would see.
void delay(double milliseconds);

/// The milliseconds of the only argument, or 50 when there is none. Prints how the program is used, and exits
/// with code 0 for `--help` and 2 for wrong arguments.
double delayFromArguments(int argc, char** argv, const char* what);
