#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Records two kernels with the sensors, network devices and counters that this machine has, and shows how they
# went over time: as text, and as a picture for each kernel.
#
#   examples/sensors/study.sh [FOLDER]      (default: sensors-study)
#
# SENSORS_INTERVAL says how often sensors are read, SENSORS_DENSE and SENSORS_FFT sizes and repetitions.
set -eu
source "$(dirname "$0")/../build_paths.sh"

folder=${1:-sensors-study}
interval=${SENSORS_INTERVAL:-20ms}
declare -A sizes=([dense]="${SENSORS_DENSE:-2560}" [fft]="${SENSORS_FFT:-1024 8}")

mkdir -p "$folder"
counters=()
# want KIND PATTERN: adds up to four counters whose name and unit fit, and says which.
want() {
  local found
  found=$(holos counters list --available | awk -v pattern="$2" '$1 == "+" && $2 " " $3 ~ pattern { print $2 }' | head -4)
  echo "$1: ${found:-not on this machine}" | tr '\n' ' '
  echo
  for counter in $found; do counters+=("$counter"); done
}
{
  want temperature ' mdegC$'
  want fans ' rpm$'
  want "power and energy" ' u[WJ]$'
  want network '^net_(lo|eth|en|ib|hsn)[^_]*_sent '
  want "memory of the process" '^proc_rss '
  want "processor time" '^task-clock '
  want "floating point" '^PAPI_FP_OPS '
  echo "floating point, as the program counts it: floating_point"
} > "$folder/sources.txt"
cat "$folder/sources.txt"

# Messages between ranks of one node take the network's way, too: through the device lo, which Open MPI 5 leaves out unless
# it is named.
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo
for kernel in dense fft; do
  read -ra size <<< "${sizes[$kernel]}"
  mpirun -n 2 holos record --force -o "$folder/$kernel" --counters "$(IFS=,; echo "${counters[*]}")" \
    --counters-async "$interval" -- "$(command -v sensors)" "$kernel" "${size[@]}"
  holos analyze "$folder/$kernel" > /dev/null
  holos plot "$folder/$kernel"
  holos plot "$folder/$kernel" -o "$folder/$kernel.svg"
done
holos report "$folder"/{dense,fft}/analysis.cubex --names dense,fft -o "$folder/report.html"
