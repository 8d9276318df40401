import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';

/** Duplicates, imports and exports with files that a process works on at once. */
const TRANSFERS_AT_ONCE = 4;

/** Counts the work with many files in this process. */
@Injectable()
export class Transfers {
  private underWay = 0;

  /** Returns the function that ends the work; calling it again has no effect. Throws the refusal `busy` (unavailable). */
  begin(): () => void {
    if (this.underWay >= TRANSFERS_AT_ONCE)
      throw refuse('unavailable', 'busy', 'The files of other bots are being copied. Try again in a minute.', { retry_after: 30 });
    this.underWay++;
    let hasEnded = false;
    return () => {
      if (!hasEnded) this.underWay--;
      hasEnded = true;
    };
  }

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const end = this.begin();
    try {
      return await work();
    } finally {
      end();
    }
  }
}
