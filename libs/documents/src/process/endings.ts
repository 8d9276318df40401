import type { ChildProcess } from 'node:child_process';
import { DocumentRefused } from '../document-refused.ts';
import { TurnOver } from '../reader-failures.ts';

/** Why this side ended the process. */
export type Ending = 'memory' | 'timeout' | 'aborted' | 'start' | 'turn';

const memoryExceeded = (limit: number) =>
  new DocumentRefused(
    'memory_exceeded',
    `Reading this file needs more than ${limit} MiB of memory. Split it into several files, or save it in a simpler form such as TXT.`,
  );

/** The error for the document that was being read when its process ended. */
export function endingOf(
  ending: Ending | undefined,
  { signalCode, exitCode }: Pick<ChildProcess, 'signalCode' | 'exitCode'>,
  memoryMebibytes: number,
): Error {
  if (ending === 'turn') return new TurnOver();
  if (ending === 'timeout')
    return new DocumentRefused(
      'timeout',
      'Reading this file took longer than is allowed for its size. Split it into several files, or save it in a simpler form such as TXT.',
    );
  // V8 aborts if its heap is full. An outside kill comes from the system, or from the thread in the process that watches memory.
  if (ending === 'memory' || signalCode === 'SIGABRT' || signalCode === 'SIGKILL' || signalCode === 'SIGTRAP' || exitCode === 134)
    return memoryExceeded(memoryMebibytes);
  return new DocumentRefused(
    'crashed',
    'The process that reads files ended while it read this file. Save the file again in its program and upload the new file.',
  );
}
