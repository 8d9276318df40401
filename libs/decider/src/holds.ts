import { refuse, type Refusal } from './refusal.ts';

/** The holds on one resource, such as a user or a bot, which must not be deleted meanwhile. Part of the state of the stream that decides about the deletion. */
export interface Holds {
  /** IDs of the current holds, the oldest first. */
  readonly on: readonly string[];
  /** IDs of the most recently ended holds, so that a late message does not place them again. */
  readonly ended: readonly string[];
}

/** The maximum number of current holds on one resource. */
export const MOST_HOLDS = 100;
const ENDED_KEPT = 100;

export const NO_HOLDS: Holds = { on: [], ended: [] };

/** Whether to place the hold. False for a repetition, and for a hold that has already ended. */
export function placesHold({ on, ended }: Holds, holdId: string): boolean | Refusal {
  if (on.includes(holdId) || ended.includes(holdId)) return false;
  if (on.length < MOST_HOLDS) return true;
  return refuse('conflict', 'too_many_holds', `There are ${MOST_HOLDS} holds on it, which is the limit. End one of them first.`);
}

/** Whether to end the hold. Also true for a hold that was never placed, so that a late placement has no effect. */
export const endsHold = ({ ended }: Holds, holdId: string): boolean => !ended.includes(holdId);

export const withHold = ({ on, ended }: Holds, holdId: string): Holds => ({ on: [...on, holdId], ended });

export const withoutHold = ({ on, ended }: Holds, holdId: string): Holds => ({
  on: on.filter((other) => other !== holdId),
  ended: [...ended, holdId].slice(-ENDED_KEPT),
});

/** The refusal of a deletion. It names the hold only to administrators. */
export const onHold = ([holdId]: readonly string[], isForAdmin: boolean): Refusal =>
  isForAdmin && holdId !== undefined
    ? refuse('conflict', 'on_hold', `The hold ${holdId} keeps this from being deleted. End it with DELETE /admin/holds/${holdId} first.`)
    : refuse('conflict', 'on_hold', 'This has to be kept for now, so it cannot be deleted. Ask an administrator.');
