import { type Decider, type Decision, type Instant, isLeased, refuse } from '@parlance/decider';

/** The file that was written for a period. */
export interface Written {
  /** The key of the file in the object store. */
  readonly key: string;
  readonly bytes: number;
  readonly rows: number;
  /** How many changes of the period the file includes. */
  readonly changes: number;
}

export type ExportCommand =
  /** `changes`: how many changes the writer is going to include. */
  | { type: 'Claim'; claim: string; changes: number; now: Instant; until: Instant }
  /** Claims the period for a process that is going to remove the file. */
  | { type: 'ClaimForRemoval'; claim: string; now: Instant; until: Instant }
  | { type: 'Renew'; claim: string; until: Instant }
  | { type: 'Finish'; claim: string; written: Written }
  /** The writer failed. Another one may try at once. */
  | { type: 'Release'; claim: string }
  /** Content that the file may contain was erased, so the file has to be rewritten, and no earlier claim may finish. */
  | { type: 'Outdate' }
  /** The file was removed because of its age; with an ID, by that retention rule. `claim`: the claim of the process that removed it. */
  | { type: 'Expire'; ruleId?: string; claim?: string };

export type ExportEvent =
  | { type: 'ExportClaimed'; claim: string; changes: number; until: Instant }
  | ({ type: 'ExportWritten'; claim: string } & Written)
  | { type: 'ExportReleased'; claim: string }
  | { type: 'ExportOutdated' }
  | { type: 'ExportExpired'; ruleId?: string };

export interface Export {
  readonly claim: { readonly id: string; readonly changes: number; readonly until: Instant } | null;
  /** Whether there is a file. */
  readonly isWritten: boolean;
  readonly isOutdated: boolean;
}

const claimTaken = () => refuse('conflict', 'export_being_written', 'Another process is writing this export. Try again in a minute.');
const notWritten = () => refuse('conflict', 'export_not_written', 'This export has no file. There is nothing to remove.');
const claimLost = () => refuse('conflict', 'export_claim_lost', 'The claim on this export has expired. The export is written again.');

/** The export of one period: an hour or a day. */
export const exporting: Decider<ExportCommand, ExportEvent, Export> = {
  initialState: { claim: null, isWritten: false, isOutdated: false },
  snapshots: { every: 50, shape: 'export-1' },

  decide(command, state) {
    switch (command.type) {
      case 'Claim':
        return claimed(command, command.changes, state);
      case 'ClaimForRemoval':
        return state.isWritten ? claimed(command, 0, state) : notWritten();
      case 'Renew':
        if (state.claim?.id !== command.claim) return claimLost();
        return [{ type: 'ExportClaimed', claim: command.claim, changes: state.claim.changes, until: command.until }];
      case 'Finish':
        if (state.claim?.id !== command.claim) return claimLost();
        return [{ type: 'ExportWritten', claim: command.claim, ...command.written }];
      case 'Release':
        return state.claim?.id === command.claim ? [{ type: 'ExportReleased', claim: command.claim }] : [];
      case 'Outdate':
        return (state.isWritten && !state.isOutdated) || state.claim ? [{ type: 'ExportOutdated' }] : [];
      case 'Expire':
        if (!state.isWritten) return [];
        if (command.claim !== undefined && state.claim?.id !== command.claim) return claimLost();
        return [{ type: 'ExportExpired', ...(command.ruleId !== undefined && { ruleId: command.ruleId }) }];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'ExportClaimed':
        return { ...state, claim: { id: event.claim, changes: event.changes, until: event.until } };
      case 'ExportWritten':
        return { claim: null, isWritten: true, isOutdated: false };
      case 'ExportReleased':
        return { ...state, claim: null };
      case 'ExportOutdated':
        return { ...state, claim: null, isOutdated: true };
      case 'ExportExpired':
        return { claim: null, isWritten: false, isOutdated: false };
    }
  },
};

function claimed(
  { claim, now, until }: { readonly claim: string; readonly now: Instant; readonly until: Instant },
  changes: number,
  present: Export,
): Decision<ExportEvent> {
  if (present.claim?.id !== claim && isLeased(present.claim?.until, now)) return claimTaken();
  return present.claim?.id === claim ? [] : [{ type: 'ExportClaimed', claim, changes, until }];
}

export const exportStream = (period: string): string => `export-${period}`;
