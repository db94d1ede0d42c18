/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OPERATIONS_H
#define OPERATIONS_H

/// The metric `floating_point` of a recorded run: how many additions and multiplications this process has
/// done so far. Counted by hand, so that a machine without counters has it, too. Called before and after what
/// computes, so that its rate is nothing in between.
void countOperations(double more);

/// All of this process.
double operationsDone(void);

#endif
