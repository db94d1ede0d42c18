# SPDX-License-Identifier: BSD-3-Clause
"""Page faults of two parts of a program, which it counts itself. With share/holos/python of the installation in
PYTHONPATH."""
import mmap

import holos_counters


def touch_pages(pages):
    """Writes to so many pages that were never touched: a page fault each."""
    with mmap.mmap(-1, pages * mmap.PAGESIZE) as memory:
        memory.madvise(mmap.MADV_NOHUGEPAGE)
        for page in range(pages):
            memory[page * mmap.PAGESIZE] = 1


def main():
    with holos_counters.Counters("ru_minflt") as counters:
        touch_pages(1000)
        print(f"first part: {counters.read()['ru_minflt']} page faults")
        skipped = counters.accumulate()["ru_minflt"]  # counts on from 0
        total = skipped
        for _ in range(3):
            touch_pages(1000)
            total = counters.accumulate()["ru_minflt"]
        print(f"three rounds: {total - skipped} page faults")
        counters.add("ru_nvcsw")
        counters.write({"ru_minflt": 5000, "ru_nvcsw": 0})
        touch_pages(1000)
        print(f"on from 5000: {counters.read()['ru_minflt']} page faults")
        counters.remove("ru_nvcsw")
    holos_counters.rate_of("ru_minflt")
    touch_pages(1000)
    print(f"rate: {holos_counters.rate_of('ru_minflt').rate:.0f} page faults per second on a processor")
    holos_counters.rate_stop()


if __name__ == "__main__":
    main()
