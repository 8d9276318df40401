// Requests with bodies in two parts. In between, the sender signs out, is disabled or erased, or nothing happens. They run beside the other
// requests of a client, which do not use the sender during that time.
import { setTimeout as pause } from 'node:timers/promises';
import { SLOW_ID } from './slow-record.mjs';

const changes = { none: 4, signOut: 3, disable: 2, erase: 2 };

export class SlowClient {
  #underWay = new Set();

  constructor(people) {
    Object.assign(this, { people, ledger: people.ledger, chance: people.chance });
  }

  /** All random choices are made before the first wait, because what else the client draws meanwhile depends on timing. */
  begin(person, session) {
    const { chance } = this;
    const record = this.ledger.slow(
      `${SLOW_ID}${chance.ulid().slice(SLOW_ID.length)}`,
      chance.pick(['bot', 'conversation']),
      person,
      session,
    );
    const drawn = {
      change: chance.weighted(changes),
      // Otherwise the rest is sent during the change.
      waits: chance.chance(0.75),
      delay: chance.chance(0.3) ? chance.between(0, 2_000) : chance.between(0, 200),
      split: chance.between(1, JSON.stringify(record.body).length - 1),
      key: chance.chance(0.5) ? chance.ulid() : undefined,
    };
    person.isBusy = true;
    const work = this.#send(record, drawn).finally(() => {
      person.isBusy = false;
      this.#underWay.delete(work);
    });
    this.#underWay.add(work);
  }

  async end() {
    await Promise.all(this.#underWay);
  }

  async #send(record, { change, waits, delay, split, key }) {
    const { person, session } = record;
    let doing;
    const answer = await this.people.client.product.ask('POST', record.path, record.body, {
      token: session.token,
      headers: key && { 'idempotency-key': key },
      split,
      between: async (closed) => {
        doing = this.#do(change, person, session);
        if (waits) await doing;
        await pause(delay, undefined, { signal: closed });
        record.sendsRest();
      },
    });
    await doing;
    this.ledger.noteSlow(record, change, answer);
  }

  async #do(change, person, session) {
    if (change === 'signOut') await this.people.signOutOf(person, session);
    else if (change !== 'none') await this.people.endSessionsOf(person, change);
  }
}
