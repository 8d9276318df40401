import type { ChildProcess } from 'node:child_process';
import { DocumentRefused } from '../document-refused.ts';
import { TurnOver } from '../reader-failures.ts';

/** Why the process was ended, if this side did it. */
export type Ending = 'memory' | 'timeout' | 'aborted' | 'start' | 'turn';

const memoryExceeded = (limit: number) =>
  new DocumentRefused(
    'memory_exceeded',
    `Reading this file needs more than ${limit} MiB of memory. Split it into several files, or save it in a simpler form such as TXT.`,
  );

/** What a document gets when its process has ended while it was read. */
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
  // V8 aborts when its heap is full. A kill from outside is that of the system, or of the thread in the process that watches memory.
  if (ending === 'memory' || signalCode === 'SIGABRT' || signalCode === 'SIGKILL' || signalCode === 'SIGTRAP' || exitCode === 134)
    return memoryExceeded(memoryMebibytes);
  return new DocumentRefused(
    'crashed',
    'The process that reads files ended while it read this file. Save the file again in its program and upload the new file.',
  );
}
