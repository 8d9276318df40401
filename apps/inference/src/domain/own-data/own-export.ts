import { type Decider, Instant, isLeased, refuse } from '@parlance/decider';

/** How long the file of an export is kept. */
export const OWN_EXPORT_MILLIS = 86_400_000;
/** How many workers may begin an export, one after another. A worker that crashes, or cannot read everything, leaves it to the next one. */
export const MOST_ATTEMPTS = 30;

/** `admin`: an administrator requested the export of a user's data. */
export type AskedBy = 'user' | 'admin';

interface Lease {
  readonly claim: string;
  readonly leaseUntil: Instant;
}

export interface Progress {
  /** Conversations written so far. */
  readonly conversations: number;
  /** All conversations, as counted at the beginning of this attempt. */
  readonly total: number;
}

export type OwnExportCommand =
  | { type: 'Request'; exportId: string; by: AskedBy; now: Instant }
  | ({ type: 'Claim'; exportId: string; now: Instant } & Lease)
  | ({ type: 'Advance'; exportId: string } & Progress & Lease)
  | { type: 'Complete'; exportId: string; claim: string; conversations: number; bytes: number; now: Instant }
  | { type: 'Expire'; exportId: string; now: Instant }
  /** The user removes the export, possibly while it is being written. */
  | { type: 'Remove'; exportId: string }
  | { type: 'Erase' };

export type OwnExportEvent =
  | { type: 'OwnExportRequested'; exportId: string; by: AskedBy; at: Instant }
  | ({ type: 'OwnExportClaimed'; exportId: string } & Lease)
  /** Renews the lease. */
  | ({ type: 'OwnExportAdvanced'; exportId: string } & Progress & Lease)
  /** The file is stored. Its name in the object store includes the claim. */
  | {
      type: 'OwnExportCompleted';
      exportId: string;
      claim: string;
      by: AskedBy;
      conversations: number;
      bytes: number;
      at: Instant;
      expiresAt: Instant;
    }
  | { type: 'OwnExportFailed'; exportId: string; at: Instant; expiresAt: Instant }
  /** The file may be removed from now on. */
  | { type: 'OwnExportRemoved'; exportId: string; because: 'expired' | 'replaced' | 'removed' | 'user_erased' }
  /** The user is erased: nothing is exported from now on. */
  | { type: 'OwnExportsErased'; exports: number };

interface Running {
  readonly exportId: string;
  readonly by: AskedBy;
  readonly attempts: number;
  readonly lease: Lease | null;
}

interface Ended {
  readonly exportId: string;
  /** The claim of the worker that stored the file. Null if the export failed. */
  readonly claim: string | null;
  readonly expiresAt: Instant;
}

/** One user's exports: the running one, and the last one that ended. */
export interface OwnExports {
  readonly running: Running | null;
  readonly ended: Ended | null;
  readonly isErased: boolean;
}

/** Whether this claim stored the file that users download. */
export const isKept = ({ ended }: OwnExports, exportId: string, claim: string): boolean =>
  ended?.exportId === exportId && ended.claim === claim;

/** Whether this claim works on the export. */
export const isClaimedBy = ({ running }: OwnExports, exportId: string, claim: string): boolean =>
  running?.exportId === exportId && running.lease?.claim === claim;

export const ownExport: Decider<OwnExportCommand, OwnExportEvent, OwnExports> = {
  initialState: { running: null, ended: null, isErased: false },
  snapshots: { every: 50, shape: 'own-export-1' },

  decide(command, state) {
    const { running, ended, isErased } = state;
    if (isErased)
      return command.type === 'Erase' || command.type === 'Expire' ? [] : refuse('missing', 'user_not_found', 'This user was erased.');
    switch (command.type) {
      case 'Request': {
        const { exportId, by, now: at } = command;
        // A repeat of the request.
        if (running?.exportId === exportId || ended?.exportId === exportId) return [];
        if (running) return exportRunning();
        return [
          ...(ended ? [{ type: 'OwnExportRemoved', exportId: ended.exportId, because: 'replaced' } as const] : []),
          { type: 'OwnExportRequested', exportId, by, at },
        ];
      }
      case 'Claim': {
        const { exportId, claim, leaseUntil, now: at } = command;
        // The export was removed or has ended, or this is a repeat.
        if (running?.exportId !== exportId || running.lease?.claim === claim) return [];
        if (isLeased(running.lease?.leaseUntil, at)) return takenOver();
        if (running.attempts >= MOST_ATTEMPTS)
          return [{ type: 'OwnExportFailed', exportId, at, expiresAt: Instant.plus(at, OWN_EXPORT_MILLIS) }];
        return [{ type: 'OwnExportClaimed', exportId, claim, leaseUntil }];
      }
      case 'Advance': {
        const { exportId, claim, leaseUntil, conversations, total } = command;
        if (!isClaimedBy(state, exportId, claim)) return takenOver();
        return [{ type: 'OwnExportAdvanced', exportId, claim, leaseUntil, conversations, total }];
      }
      case 'Complete': {
        const { exportId, claim, conversations, bytes, now: at } = command;
        if (isKept(state, exportId, claim)) return [];
        if (!running || !isClaimedBy(state, exportId, claim)) return takenOver();
        const expiresAt = Instant.plus(at, OWN_EXPORT_MILLIS);
        return [{ type: 'OwnExportCompleted', exportId, claim, by: running.by, conversations, bytes, at, expiresAt }];
      }
      case 'Expire':
        return ended?.exportId === command.exportId && ended.expiresAt <= command.now
          ? [{ type: 'OwnExportRemoved', exportId: ended.exportId, because: 'expired' }]
          : [];
      case 'Remove':
        return [running, ended].some((each) => each?.exportId === command.exportId)
          ? [{ type: 'OwnExportRemoved', exportId: command.exportId, because: 'removed' }]
          : [];
      case 'Erase': {
        const ids = [running, ended].flatMap((each) => each?.exportId ?? []);
        return [
          ...ids.map((exportId) => ({ type: 'OwnExportRemoved', exportId, because: 'user_erased' }) as const),
          { type: 'OwnExportsErased', exports: ids.length },
        ];
      }
    }
  },

  evolve(state, event) {
    const { running, ended } = state;
    switch (event.type) {
      case 'OwnExportRequested':
        return { ...state, running: { exportId: event.exportId, by: event.by, attempts: 0, lease: null } };
      case 'OwnExportClaimed':
        return { ...state, running: running && { ...running, attempts: running.attempts + 1, lease: leaseOf(event) } };
      case 'OwnExportAdvanced':
        return { ...state, running: running && { ...running, lease: leaseOf(event) } };
      case 'OwnExportCompleted':
      case 'OwnExportFailed': {
        const { exportId, expiresAt } = event;
        return { ...state, running: null, ended: { exportId, claim: event.type === 'OwnExportCompleted' ? event.claim : null, expiresAt } };
      }
      case 'OwnExportRemoved':
        return {
          ...state,
          running: running?.exportId === event.exportId ? null : running,
          ended: ended?.exportId === event.exportId ? null : ended,
        };
      case 'OwnExportsErased':
        return { ...state, isErased: true };
    }
  },
};

const leaseOf = ({ claim, leaseUntil }: Lease): Lease => ({ claim, leaseUntil });

const exportRunning = () =>
  refuse('conflict', 'export_running', 'An export of this data is being written. Wait until it is ready, and fetch it.');

const takenOver = () => refuse('conflict', 'export_taken_over', 'Another worker has taken over this export.');

/** One stream for each user, so that one export runs at a time. */
export const ownExportStream = (userId: string) => `ownexport-${userId}`;
