// What the kernel says of a process, threads included.
import { readFileSync } from 'node:fs';

/** The kernel's USER_HZ, which is 100 wherever Node runs. */
const MICROS_PER_TICK = 10_000;

/** Processor time that a process has used so far, in microseconds; NaN where there is no /proc. */
export function cpuMicros(pid) {
  const stat = proc(pid, 'stat');
  // The name, in parentheses, may hold blanks; after it, user time is the twelfth field and system time the thirteenth.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields ? (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK : NaN;
}

/** Resident memory now and at its highest, in MB; NaN where there is no /proc. */
export function memory(pid) {
  const status = proc(pid, 'status') ?? '';
  const megabytes = (field) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) / 1024;
  return { now: megabytes('VmRSS'), highest: megabytes('VmHWM') };
}

function proc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
