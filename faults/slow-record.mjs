// A request with a body in two parts, and its allowed effects, derived from the state of the caller's session when the rest was sent.

/** The prefix of the IDs of slow requests, which distinguishes them in a log. */
export const SLOW_ID = '00S10W';

const kinds = {
  bot: { service: 'bots', path: '/bot', accepted: 201, gone: ['BotDeleted', 'BotDeletedWithOwner'] },
  conversation: { service: 'inference', path: '/conversation', accepted: 202, gone: ['ConversationErased'] },
};

export class SlowRecord {
  /** The problems of the answer. */
  #oddities = [];
  /** `yes` if it was accepted, `no` if it was refused or never sent completely, otherwise `maybe`. */
  #isKept = 'no';
  #isWhole = false;
  #wasEnded = false;

  /** `kind`: `bot` or `conversation`. */
  constructor(id, kind, person, session) {
    Object.assign(this, { id, kind, person, session });
  }

  get path() {
    return kinds[this.kind].path;
  }

  get body() {
    const text = `Slow ${this.id}`;
    return this.kind === 'bot'
      ? { id: this.id, title: text }
      : { conversation_id: this.id, message: { content: [{ content_type: 'text', body: text }] } };
  }

  /** Called when the rest is about to be sent. */
  sendsRest() {
    this.#isWhole = true;
    this.#wasEnded = this.session.state === 'ended';
  }

  answered(status) {
    const { accepted } = kinds[this.kind];
    this.#isKept = status === accepted ? 'yes' : 'no';
    // A token can be older than its user's membership in CreatingBotAllowed.
    const good = this.kind === 'bot' ? [accepted, 403] : [accepted];
    const expected = this.#wasEnded ? [401] : this.session.state === 'goes on' ? good : [...good, 401];
    if (expected.includes(status)) return;
    const when = this.#isWhole ? `the session ${this.#wasEnded ? 'had ended before the rest' : this.session.state}` : 'it was sent in part';
    this.#oddities.push(`${this.#name} answered ${status}, though ${when}`);
  }

  lost() {
    this.#isKept = this.#isWhole && !this.#wasEnded ? 'maybe' : 'no';
  }

  /** The problems of the answer and the log. */
  problems(evidence) {
    const isThere = this.#typesIn(evidence).length > 0;
    if (isThere && this.#isKept === 'no') return [...this.#oddities, `${this.#name} was refused or never complete, and is in the log`];
    if (!isThere && this.#isKept === 'yes') return [...this.#oddities, `${this.#name} was accepted, and is not in the log`];
    return this.#oddities;
  }

  /** The problem if data is left after the sender was erased. Call it when no work is left. */
  remains(evidence) {
    const types = this.#typesIn(evidence);
    if (types.length === 0 || kinds[this.kind].gone.includes(types.at(-1))) return [];
    return [`${this.#name} is kept, and its sender is erased`];
  }

  isBotIn(evidence) {
    return this.kind === 'bot' && this.#typesIn(evidence).length > 0;
  }

  isErasedIn(evidence) {
    return this.#typesIn(evidence).at(-1) === 'ConversationErased';
  }

  #typesIn(evidence) {
    const commits = evidence.stream(kinds[this.kind].service, `${this.kind}-${this.id}`);
    return commits.flatMap(({ events }) => events.map(({ event }) => event.type));
  }

  get #name() {
    return `the slow ${this.kind} ${this.id} of person ${this.person.id}`;
  }
}
