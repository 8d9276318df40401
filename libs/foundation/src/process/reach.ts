import { setTimeout } from 'node:timers/promises';
import type { StartState } from '@parlance/observability';
import { unreachableServer } from './one-line.ts';

const RETRY_MS = 2_000;

/** Opens a connection to a server that the process needs. `warn` gets the reason of each failed attempt that will be repeated. */
export type Reach = <Opened>(server: string, open: () => Promise<Opened>, warn: (reason: string) => void) => Promise<Opened>;

/** For a process that a person starts: the process ends with a message if a server does not answer. */
export const reachOnce: Reach = (_, open) => open();

/**
 * For a process that an orchestrator starts: waits for the server, because an orchestrator delays each further restart of a process that
 * ends. Rejects with every other error, such as a wrong password.
 */
export function reachInTime(start: StartState, retryMs = RETRY_MS): Reach {
  return async (server, open, warn) => {
    const reached = start.waitFor(server);
    try {
      for (;;) {
        try {
          return await open();
        } catch (error) {
          const reason = unreachableServer(error);
          if (reason === null) throw error;
          warn(reason);
          await setTimeout(retryMs);
        }
      }
    } finally {
      reached();
    }
  };
}
