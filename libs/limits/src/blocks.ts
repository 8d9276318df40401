import type { Instant } from '@parlance/decider';

/** A part of a limit that the owner of the limit has lent to one process. */
export interface Block {
  readonly holder: string;
  readonly amount: number;
  /** The end of the lease. */
  readonly until: Instant;
  /** The number of uses that the holder reported when it closed the block; null if the holder did not know it. Absent while the block is open. */
  readonly uses?: number | null;
}

/** The lent blocks by ID, at most `MOST_BLOCKS`. */
export type Blocks = Readonly<Record<string, Block>>;

export type BlockEvent =
  | { type: 'BlockLent'; block: string; holder: string; amount: number; until: Instant }
  /** The holder no longer uses the block. The block stays lent until all its uses have ended. */
  | { type: 'BlockClosed'; block: string; uses: number | null }
  /** `spent` is the final cost of the block's uses. The rest can be lent again. */
  | { type: 'BlockSettled'; block: string; spent: number };

/** The known uses of a block. They are recorded outside the stream of the limit. */
export interface Uses {
  readonly begun: number;
  readonly ended: number;
  readonly spent: number;
}

export interface Wish {
  /** The smallest useful amount. */
  readonly needed: number;
  /** The amount that the holder could use at once. */
  readonly wanted: number;
}

/** The maximum number of lent blocks of one limit, so that the state of its stream stays small. */
export const MOST_BLOCKS = 256;
/** A block is at most 1/SHARE of the rest, so that other processes can borrow too. */
const SHARE = 8;
/** Within 1/NEAR of an exact limit, blocks shrink to what is needed. */
const NEAR = 50;
/** A block is for at most this many uses, so that only a small part of a large limit is lent. */
const USES_OF_A_BLOCK = 64;

/** This long after the end of its lease, a block counts as closed, because the clocks of processes may differ by this much. */
export const GRACE_MILLIS = 30_000;
/** A use that has not ended this long after the lease will never end, for example because its conversation was erased. */
export const FORGOTTEN_MILLIS = 3_600_000;

/** The known uses of each block. A block without an entry has no known uses. */
export type UsesOfBlocks = Readonly<Record<string, Uses>>;

const NO_USES: Uses = { begun: 0, ended: 0, spent: 0 };
export const usesOf = (known: UsesOfBlocks, block: string): Uses => known[block] ?? NO_USES;

/** The amount that may still be spent from lent blocks. */
export const lentOf = (blocks: Blocks, known: UsesOfBlocks = {}): number =>
  Object.entries(blocks).reduce((sum, [id, { amount }]) => sum + Math.max(0, amount - usesOf(known, id).spent), 0);

/** A block that is no longer used, and whose uses can cost at most this amount together. */
export interface ShrunkBlock {
  readonly block: string;
  readonly most: number;
}

/**
 * The events for blocks that have shrunk: each is lent again with the smaller amount, so that releases without shrunk blocks understand them. A
 * closed block stays closed.
 */
export const shrinking = (shrunk: readonly ShrunkBlock[], blocks: Blocks): readonly BlockEvent[] =>
  shrunk.flatMap(({ block, most }): BlockEvent[] => {
    const its = Object.hasOwn(blocks, block) ? blocks[block]! : null;
    if (!its || most >= its.amount) return [];
    const { holder, until, uses } = its;
    const lent = { type: 'BlockLent', block, holder, amount: most, until } as const;
    return uses === undefined ? [lent] : [lent, { type: 'BlockClosed', block, uses }];
  });

/** What other holders may give back soon: the unspent amounts of their blocks that are not closed. */
export const returnableOf = (blocks: Blocks, known: UsesOfBlocks, holder: string): number =>
  Object.entries(blocks).reduce(
    (sum, [id, { holder: its, uses, amount }]) =>
      its === holder || uses !== undefined ? sum : sum + Math.max(0, amount - usesOf(known, id).spent),
    0,
  );

/** A limit and the spent amount. `spent` was read after `known`, so it includes the uses in `known`. */
export interface Ledger {
  readonly limit: number;
  readonly spent: number;
  readonly known: UsesOfBlocks;
  /** Whether blocks shrink to what is needed when little of the limit is left, so that nobody holds what another process needs. */
  readonly isExact?: boolean;
}

/** The amount of the next block; null if less than needed is left. */
export function blockOf({ limit, spent, known, isExact = false }: Ledger, blocks: Blocks, { needed, wanted }: Wish): number | null {
  const rest = limit - spent - lentOf(blocks, known);
  if (rest < needed) return null;
  const fair = isExact && rest * NEAR <= limit ? 0 : Math.min(Math.floor(rest / SHARE), needed * USES_OF_A_BLOCK);
  return Math.min(rest, Math.max(needed, wanted, fair));
}

/** Whether a block can be settled: its holder no longer uses it, and all its uses have ended. */
export function isOver({ until, uses }: Block, known: Uses, now: Instant): boolean {
  if (now >= until + FORGOTTEN_MILLIS) return true;
  const isClosed = uses !== undefined || now >= until + GRACE_MILLIS;
  if (!isClosed || known.begun !== known.ended) return false;
  // A crashed holder has not reported its number of uses. Its published uses are known by the end of the grace period.
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
