import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;
/** The time unit of /proc on every Linux. */
const TICK_MILLIS = 10;
/** Fields of /proc/PID/stat after the name of the program, which may have spaces. */
const [USER_TIME, SYSTEM_TIME] = [11, 12] as const;

/**
 * The resident memory of another process in bytes, or undefined if the system has no /proc. The kernel generates the file when it is read, which
 * takes 15 microseconds. It is read synchronously so that a check cannot come late.
 */
export function residentBytes(pid: number): number | undefined {
  const pages = Number(proc(pid, 'statm')?.split(' ')[1]);
  return Number.isFinite(pages) ? pages * PAGE_BYTES : undefined;
}

/** The CPU time of all threads of another process. 0 if it has ended. Without /proc, the elapsed time. */
export function workedMillis(pid: number): number {
  return HAS_PROC ? (ticksOf(pid) ?? 0) * TICK_MILLIS : performance.now();
}

function ticksOf(pid: number): number | undefined {
  const fields = proc(pid, 'stat')?.split(') ').at(-1)?.split(' ');
  return fields && Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME]);
}

function proc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

const HAS_PROC = ticksOf(process.pid) !== undefined;
