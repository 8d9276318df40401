// Figures of the kernel about a process, including its threads.
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's USER_HZ, which is 100 wherever Node runs. */
const MICROS_PER_TICK = 10_000;

/**
 * Processor time that a process has used so far, in microseconds; NaN without /proc. From the nanoseconds of each running thread
 * if the kernel counts them, otherwise from ticks of 10 ms. The nanoseconds exclude threads that have ended.
 */
export function cpuMicros(pid) {
  const threads = onCpu(pid);
  if (threads.length > 0) return threads.reduce((sum, { millis }) => sum + millis, 0) * 1_000;
  const stat = proc(pid, 'stat');
  // The name in parentheses may contain blanks. After it, user time is the twelfth field and system time the thirteenth.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields ? (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK : NaN;
}

/** The running child processes of a process. */
export function childrenOf(pid) {
  return threadsOf(pid).flatMap((thread) => (proc(pid, `task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number));
}

/** The processor time of each thread of a process in milliseconds, without the time spent waiting for a processor. */
export function onCpu(pid) {
  return threadsOf(pid).flatMap((thread) => {
    const [nanos] = proc(pid, `task/${thread}/schedstat`)?.split(' ') ?? [];
    return nanos === undefined ? [] : [{ thread, name: proc(pid, `task/${thread}/comm`)?.trim() ?? '', millis: Number(nanos) / 1e6 }];
  });
}

/** Bytes that a process has written to disk so far; NaN without /proc. */
export function bytesWritten(pid) {
  return Number(/^write_bytes: (\d+)/m.exec(proc(pid, 'io') ?? '')?.[1] ?? NaN);
}

/** The current and the peak resident memory in MB; NaN without /proc. */
export function memory(pid) {
  const status = proc(pid, 'status') ?? '';
  const megabytes = (field) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) / 1024;
  return { now: megabytes('VmRSS'), highest: megabytes('VmHWM') };
}

function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

function proc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
