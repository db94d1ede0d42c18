# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# The options that the scripts here have in common, to source with `preset` as it is without: --help prints the comment
# on top of the script, and --preset NAME, where it comes first, is taken from the arguments.

# shellcheck disable=SC2034 # for the script that sources this
case "${1:-}" in
  -h | --help) sed -n '3,/^[^#]/s/^# \?//p' "$0"; exit 0 ;;
  --preset) preset=${2:?"--preset needs the name of one: release, dev, ci"}; shift 2 ;;
esac
