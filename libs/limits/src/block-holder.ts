import { Refusal, refuse } from '@parlance/decider';
import { HeldBlock, type Take } from './held-block.ts';

export interface Closed {
  readonly block: string;
  /** The number of the block's uses; null if unknown. */
  readonly uses: number | null;
}

export interface Request {
  readonly needed: number;
  /** The amount that all waiting takes need together. */
  readonly wanted: number;
  readonly closed: readonly Closed[];
  /** Absent if there are none, and for owners that do not take them. */
  readonly shrunk?: readonly Shrunk[];
}

/** A block that is no longer used, and whose uses can cost less than its amount. */
export interface Shrunk {
  readonly block: string;
  /** The most that its uses can cost together, those that have ended included. */
  readonly most: number;
}

/** A block, and further facts from the owner. */
export interface Lent<Facts> {
  readonly block: string;
  readonly amount: number;
  readonly usableMillis: number;
  readonly facts: Facts;
}

/** Calls the owners of limits. */
export interface Lender<Facts> {
  /** Throws a refusal of the kind `limited` if too little is left. The closed blocks are recorded even then. */
  lend(limit: string, request: Request): Promise<Lent<Facts>>;
  close(limit: string, closed: readonly Closed[], shrunk: readonly Shrunk[]): Promise<void>;
  /** Whether the owner lends unused parts of blocks again before all their uses have ended. */
  readonly takesShrunk?: boolean;
}

export interface Taken<Facts> {
  readonly take: Take;
  readonly facts: Facts;
}

interface Held<Facts> {
  readonly block: HeldBlock;
  readonly facts: Facts;
  usedAt: number;
}

/** This process's blocks of one limit. */
interface Account<Facts> {
  held: Held<Facts> | null;
  /** Blocks that are no longer used, but not yet reported to the owner as closed. */
  readonly retired: Set<HeldBlock>;
  /** The most that the uses of retired blocks can cost, where the owner does not know it yet. */
  readonly shrunk: Map<string, number>;
  /** The call that borrows the next block, and the smallest amount that it asks for. */
  asking: { readonly needed: number; readonly done: Promise<void> } | null;
  /** The amount that all waiting takes need together. */
  wanted: number;
}

/** A block that was not used for this long is given back. */
const IDLE_MILLIS = 5_000;
/** How many times a take is retried if other takes have used up the borrowed block. */
const ATTEMPTS = 20;

/** The blocks that one process has borrowed, from any number of limits. A limit without a block is forgotten. */
export class BlockHolder<Facts> {
  private readonly accounts = new Map<string, Account<Facts>>();

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(
    private readonly lender: Lender<Facts>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Throws the lender's error, or `limit_busy` (unavailable) if other takes used up each borrowed block first. */
  async take(limit: string, amount: number): Promise<Taken<Facts>> {
    const account = this.account(limit);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { held } = account;
      const take = held?.block.take(amount, this.now());
      if (held && take) {
        held.usedAt = this.now();
        return { take, facts: held.facts };
      }
      await this.borrow(limit, account, amount);
    }
    throw refuse('unavailable', 'limit_busy', 'Too many requests are waiting for this limit. Try again in a second.', { retry_after: 1 });
  }

  /** The number of limits that are not forgotten. */
  get size(): number {
    return this.accounts.size;
  }

  /** Gives back blocks that are no longer used. Called by a timer. An error of one limit does not stop the others. */
  async giveBack(): Promise<void> {
    const errors: unknown[] = [];
    for (const [limit, account] of this.accounts) {
      const { held } = account;
      if (held && (held.usedAt + IDLE_MILLIS <= this.now() || held.block.usableUntil <= this.now())) this.retire(limit, account);
      await this.closeRetired(limit, account).catch((error: unknown) => errors.push(error));
      if (!account.held && !account.asking && account.retired.size + account.shrunk.size === 0) this.accounts.delete(limit);
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Gives all blocks back at a graceful end. A block that cannot be given back is settled after its lease. */
  async stop(): Promise<void> {
    for (const [limit, account] of this.accounts) {
      this.retire(limit, account);
      await this.closeRetired(limit, account).catch(() => undefined);
    }
  }

  private account(limit: string): Account<Facts> {
    let account = this.accounts.get(limit);
    if (!account) this.accounts.set(limit, (account = { held: null, retired: new Set(), shrunk: new Map(), asking: null, wanted: 0 }));
    return account;
  }

  /** Takes that arrive while a block is being borrowed wait for it. If a smaller amount is refused, they are refused too. */
  private async borrow(limit: string, account: Account<Facts>, amount: number): Promise<void> {
    account.wanted += amount;
    const { asking } = account;
    if (asking) {
      await asking.done.catch((error: unknown) => {
        if (amount >= asking.needed) throw error;
      });
      return;
    }
    const done = this.ask(limit, account, amount).finally(() => (account.asking = null));
    account.asking = { needed: amount, done };
    await done;
  }

  private async ask(limit: string, account: Account<Facts>, needed: number): Promise<void> {
    // Lets further takes of the same turn of the event loop be counted in `wanted`.
    await Promise.resolve();
    this.retire(limit, account);
    const closing = closable(account);
    const shrunk = shrunkIn(account);
    const wanted = Math.min(Math.max(needed, account.wanted), Number.MAX_SAFE_INTEGER);
    account.wanted = 0;
    const began = this.now();
    const forget = () => {
      for (const block of closing) account.retired.delete(block);
      reported(account, shrunk);
    };
    try {
      const { block, amount, usableMillis, facts } = await this.lender.lend(limit, {
        needed,
        wanted,
        closed: closing.map(closedOf),
        ...(shrunk.length > 0 && { shrunk }),
      });
      account.held = { block: new HeldBlock(block, amount, began + usableMillis), facts, usedAt: began };
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'limited') forget();
      throw error;
    }
    forget();
  }

  private async closeRetired(limit: string, account: Account<Facts>): Promise<void> {
    const closing = closable(account);
    const shrunk = shrunkIn(account);
    if (closing.length + shrunk.length === 0) return;
    await this.lender.close(limit, closing.map(closedOf), shrunk);
    for (const block of closing) account.retired.delete(block);
    reported(account, shrunk);
  }

  private retire(limit: string, account: Account<Facts>): void {
    const block = account.held?.block;
    account.held = null;
    if (!block) return;
    account.retired.add(block);
    // Its uses may end when the account is forgotten.
    block.retire((most) => this.lender.takesShrunk && this.account(limit).shrunk.set(block.id, most));
  }
}

/** Blocks in one call. The others follow with the next one. */
const MOST_SHRUNK = 500;

const shrunkIn = <Facts>({ shrunk }: Account<Facts>): readonly Shrunk[] =>
  [...shrunk].slice(0, MOST_SHRUNK).map(([block, most]) => ({ block, most: Math.max(0, most) }));

/** A block that has shrunk further meanwhile is reported again. */
function reported<Facts>(account: Account<Facts>, shrunk: readonly Shrunk[]): void {
  for (const { block, most } of shrunk) if (Math.max(0, account.shrunk.get(block) ?? -1) === most) account.shrunk.delete(block);
}

/** A block is closed with the number of its uses, so the outcome of each take must be known. */
const closable = <Facts>({ retired }: Account<Facts>): readonly HeldBlock[] => [...retired].filter(({ isUndecided }) => !isUndecided);

const closedOf = ({ id, uses }: HeldBlock): Closed => ({ block: id, uses });
