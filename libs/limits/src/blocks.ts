import type { Instant } from '@parlance/decider';

/** A part of a limit that the owner of the limit has lent to one process. */
export interface Block {
  readonly holder: string;
  readonly amount: number;
  /** The end of the lease. */
  readonly until: Instant;
  /** How often the holder has used the block, reported when it was closed; null if it may not know. Absent while the block is open. */
  readonly uses?: number | null;
}

/** The blocks that are lent, by their IDs. At most `MOST_BLOCKS`. */
export type Blocks = Readonly<Record<string, Block>>;

export type BlockEvent =
  | { type: 'BlockLent'; block: string; holder: string; amount: number; until: Instant }
  /** The holder no longer uses it. It stays lent until all its uses are known to be settled. */
  | { type: 'BlockClosed'; block: string; uses: number | null }
  /** The amount that its uses have cost in the end. The rest can be lent again. */
  | { type: 'BlockSettled'; block: string; spent: number };

/** What is known of the uses of a block, from outside the stream of the limit. */
export interface Uses {
  readonly begun: number;
  readonly ended: number;
  readonly spent: number;
}

export interface Wish {
  /** The least that is of use. */
  readonly needed: number;
  /** What the holder could use at once. */
  readonly wanted: number;
}

/** Blocks of one limit that may be lent at the same time, so that the state of its stream stays small. */
export const MOST_BLOCKS = 256;
/** A block is at most this part of what is left, so that other processes find something too. */
const SHARE = 8;
/** A block is for at most this many uses, so that a small part of a large limit is lent. */
const USES_OF_A_BLOCK = 64;

/** How long after the end of a lease a block counts as closed. Clocks of processes may differ by so much. */
export const GRACE_MILLIS = 30_000;
/** Uses that have not ended so long after the lease never will: their conversation was erased, for example. */
export const FORGOTTEN_MILLIS = 3_600_000;

/** What is known of the uses of each block. A block without an entry has none. */
export type UsesOfBlocks = Readonly<Record<string, Uses>>;

const NO_USES: Uses = { begun: 0, ended: 0, spent: 0 };
export const usesOf = (known: UsesOfBlocks, block: string): Uses => known[block] ?? NO_USES;

/** What may still be spent of the blocks that are lent. */
export const lentOf = (blocks: Blocks, known: UsesOfBlocks = {}): number =>
  Object.entries(blocks).reduce((sum, [id, { amount }]) => sum + Math.max(0, amount - usesOf(known, id).spent), 0);

/** A limit, and what is spent of it. `spent` was read after `known`, and includes what that knows. */
export interface Ledger {
  readonly limit: number;
  readonly spent: number;
  readonly known: UsesOfBlocks;
}

/** The amount of the next block; null if less than needed is left. */
export function blockOf({ limit, spent, known }: Ledger, blocks: Blocks, { needed, wanted }: Wish): number | null {
  const left = limit - spent - lentOf(blocks, known);
  if (left < needed) return null;
  const fair = Math.min(Math.floor(left / SHARE), needed * USES_OF_A_BLOCK);
  return Math.min(left, Math.max(needed, wanted, fair));
}

/** Whether a block can be settled: its holder no longer uses it, and all its uses have ended. */
export function isOver({ until, uses }: Block, known: Uses, now: Instant): boolean {
  if (now >= until + FORGOTTEN_MILLIS) return true;
  const isClosed = uses !== undefined || now >= until + GRACE_MILLIS;
  if (!isClosed || known.begun !== known.ended) return false;
  // A lost holder has not reported how often it has used the block. The uses that it has published are known by the end of the grace.
  return typeof uses === 'number' ? known.begun === uses : now >= until + GRACE_MILLIS;
}

export function evolveBlocks(blocks: Blocks, event: BlockEvent): Blocks {
  switch (event.type) {
    case 'BlockLent': {
      const { block, holder, amount, until } = event;
      return { ...blocks, [block]: { holder, amount, until } };
    }
    case 'BlockClosed': {
      const closed = blocks[event.block];
      return closed ? { ...blocks, [event.block]: { ...closed, uses: event.uses } } : blocks;
    }
    case 'BlockSettled': {
      const { [event.block]: _, ...others } = blocks;
      return others;
    }
  }
}
