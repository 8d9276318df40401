import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';

const starts = channel('parlance.test.start');
const sharing = new AsyncLocalStorage<string>();

/**
 * Reports a started server, which counts as a cost of the spec file (tools/specs/usage.mjs). A server that the spec files of a worker share is
 * reported with its name: how many workers start one depends on which files they get, so it counts once in a run.
 */
export function noteStart(kind: string): void {
  const name = sharing.getStore();
  starts.publish(name === undefined ? kind : `${kind} shared as ${name}`);
}

export function whileSharing<T>(name: string, start: () => Promise<T>): Promise<T> {
  return sharing.run(name, start);
}
