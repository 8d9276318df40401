import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;
/** The unit of times in /proc, on every Linux. */
const TICK_MILLIS = 10;
/** Fields of /proc/PID/stat after the name of the program, which may have spaces. */
const [USER_TIME, SYSTEM_TIME] = [11, 12] as const;

/**
 * The resident memory of another process in bytes, or undefined where the system has no /proc. The file is made by the kernel when it
 * is read, which takes 15 microseconds; it is read synchronously so that a check can't come late.
 */
export function residentBytes(pid: number): number | undefined {
  const pages = Number(proc(pid, 'statm')?.split(' ')[1]);
  return Number.isFinite(pages) ? pages * PAGE_BYTES : undefined;
}

/** The time that all threads of another process have worked; 0 when it has ended. Where the system has no /proc, the time that has passed. */
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
