/* SPDX-License-Identifier: BSD-3-Clause */
/* What the loader asks before it loads anything else (LD_AUDIT). It wants nothing. */
unsigned int la_version(unsigned int version) {
    return version;
}
