import { Injectable } from '@nestjs/common';
import { Instant } from '@parlance/decider';
import { isSealed, type Sealed, SubjectKeys, Vault } from '@parlance/privacy';
import { Clock } from '@parlance/foundation';
import { KEPT_MILLIS } from '../../domain/remembered-request.ts';

const DAY = 24 * 60 * 60 * 1000;

/** How many past days are checked for keys, because possibly no edge ran at that time. */
const LOOK_BACK = 60;

/**
 * Seals remembered answers, first with the key of the user they are about, then with a key of the day. A key is destroyed when its user is
 * erased, or when all answers of its day have expired: then the answers can no longer be read. The sealed bytes stay in the log.
 */
@Injectable()
export class AnswerSeals {
  constructor(
    private readonly vault: Vault,
    private readonly keys: SubjectKeys,
    private readonly clock: Clock,
  ) {}

  /** `subject` null: the answer is not about a user. Rejects with `Shredded` if the user was erased. */
  async seal(subject: string | null, answer: object): Promise<Sealed> {
    const text = JSON.stringify(answer);
    const inner = subject === null ? text : await this.vault.seal({ id: subject }, text);
    return this.vault.seal({ id: keyOfDay(this.clock.now()) }, inner);
  }

  /** Null when the answer has expired, or the user was erased. */
  async open<Answer extends object>(sealed: Sealed): Promise<Answer | null> {
    let text = await this.vault.open(sealed);
    if (text !== null && isSealed(text)) text = await this.vault.open(text);
    return text === null ? null : (JSON.parse(text) as Answer);
  }

  /** Destroys the keys of days whose answers have all expired. Returns the number of keys. */
  async destroyExpired(): Promise<number> {
    let destroyed = 0;
    // The last answer of a day is kept until the end of the next day, plus an hour because clocks differ.
    const newest = this.clock.now() - KEPT_MILLIS - DAY - 60 * 60 * 1000;
    for (let back = 0; back < LOOK_BACK; back++) {
      const id = keyOfDay(Instant.ofMillis(newest - back * DAY));
      if ((await this.keys.find(id)) && (await this.vault.shred(id))) destroyed += 1;
    }
    return destroyed;
  }
}

const keyOfDay = (time: Instant): string => `remembered-answers:${new Date(time).toISOString().slice(0, 10)}`;
