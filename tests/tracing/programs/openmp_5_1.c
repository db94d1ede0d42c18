/* SPDX-License-Identifier: BSD-3-Clause */
/* A directive of OpenMP 5.1, for which gcc's runtime has a function since then. */
int main(int count, char** words) {
    (void)words;
    if (count > 5) {
#pragma omp error at(execution) severity(warning) message("so many words")
    }
    return 0;
}
