/**
 * `refused`: the provider of a model refuses this installation's requests. `reader`: the process that reads files does not start. `storage`: the
 * object store does not answer.
 */
export type SyncFault = 'refused' | 'reader' | 'storage' | 'other';

/**
 * The number of faulty tries after which a run fails. A refusal would certainly be repeated, and a process that does not start will
 * probably not start next time either. An outage of the object store concerns all runs and none of their sources: they wait for its end, until
 * their deadline.
 */
export const MOST_TRIES = { refused: 1, reader: 3, other: 6 } as const satisfies Record<Exclude<SyncFault, 'storage'>, number>;
/** The pause after the first faulty try. It doubles with each further one. */
export const FIRST_PAUSE_MILLIS = 30_000;
/** The pause between two tries while the object store does not answer. */
export const STORAGE_PAUSE_MILLIS = 60_000;
