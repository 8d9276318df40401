// The load on users: they are created, sign in and out, are disabled and enabled, join groups, and are erased. Users of earlier rounds are
// used again, so that changes acknowledged before a crash are tested after it.

import { SlowClient } from './slow-client.mjs';

/** The time after which a used refresh token no longer returns its successor, plus a second. */
const graceMillis = 11_000;

export const weightsOfPeople = {
  register: 2,
  make: 1,
  again: 1,
  signIn: 4,
  use: 8,
  refresh: 3,
  reuse: 0.5,
  signOut: 2,
  disable: 1.5,
  enable: 2,
  join: 2,
  leave: 2,
  erase: 0.6,
  overreach: 2,
  takenGroup: 1,
  slow: 4,
  keyed: 4,
  keyedAgain: 4,
  keyedOtherwise: 1,
};

const password = 'correct horse battery';
const stillThere = (person) => !person.is('absent') && !person.is('erased') && person.userId !== null;

export class PeopleClient {
  #people;
  #keyed;
  #slow;

  constructor(client, number) {
    Object.assign(this, { client, ledger: client.ledger, chance: client.chance, number });
    this.#people = [...this.ledger.people.values()].filter(({ owner }) => owner === number);
    this.#keyed = [...this.ledger.keyed.values()].filter(({ owner }) => owner === number);
    this.#slow = new SlowClient(this);
  }

  /** Waits for the slow requests. */
  end() {
    return this.#slow.end();
  }

  async #one(wanted, otherwise, act) {
    const list = this.#people.filter((person) => !person.isBusy && wanted(person));
    return list.length === 0 ? this[otherwise]() : act(this.chance.pick(list));
  }

  async #inSession(wanted, act) {
    const free = this.#people.filter(({ isBusy }) => !isBusy);
    const all = free.flatMap((person) => person.sessions.filter(wanted).map((session) => ({ person, session })));
    // The newest sessions are most likely active. The others are checked after each restart.
    return all.length === 0 ? this.signIn() : act(this.chance.pick(all.slice(-20)));
  }

  async #ofSession(type, method, path, body, expectsRefusal = false) {
    await this.#inSession(
      () => true,
      async ({ person, session }) => {
        const answer = await this.#ask(method, path, body, { token: session.token }, expectsRefusal);
        this.ledger.noteSession(person, session, type, answer);
      },
    );
  }

  /** Sends requests with bodies in two parts, and ends the session in between. */
  slow = () =>
    this.#inSession(
      ({ state }) => state === 'goes on',
      ({ person, session }) => this.#slow.begin(person, session),
    );

  async signOutOf(person, session) {
    const answer = await this.#ask('POST', '/auth/sign-out', undefined, { token: session.token });
    this.ledger.noteSession(person, session, 'signOut', answer);
    if (answer.status === 204) await this.#tryAtOnce(person, session);
  }

  /** Uses a session immediately after its end. */
  async #tryAtOnce(person, session) {
    if (session) this.ledger.noteSession(person, session, 'use', await this.#ask('GET', '/user/me', undefined, { token: session.token }));
  }

  /** A request that may be refused has its own ID, by which the check finds its audit entry. */
  async #ask(method, path, body, options = {}, expectsRefusal = false) {
    const requestId = expectsRefusal ? this.chance.ulid() : undefined;
    const headers = { ...options.headers, ...(requestId && { 'x-request-id': requestId }) };
    const answer = await this.client.ask(method, path, body, { ...options, headers });
    if (requestId && (answer.status === 403 || answer.status === 409)) this.ledger.refused.add(requestId);
    return answer;
  }

  register = () => this.#come(this.#added('register'));
  make = () => this.#come(this.#added('make'));

  #added(how) {
    const person = this.ledger.person(this.chance.ulid(), this.number, how);
    this.#people.push(person);
    return person;
  }

  /** Repeats the creation of a user, like a client that received no answer. */
  async again() {
    await this.#one(
      // If the user might have been erased, the outcome of a request with the same key is unknown.
      (person) => person.is('absent', 'enabled', 'disabled') || (person.how === 'make' && person.isErasedForGood),
      'register',
      (person) => this.#come(person),
    );
  }

  async #come(person) {
    const body = { email: person.email, password, first_name: 'Ann', last_name: person.id };
    const options = person.how === 'make' ? { headers: { 'idempotency-key': person.key } } : { signedIn: false };
    const path = person.how === 'make' ? '/admin/users' : '/auth/sign-up';
    this.ledger.notePerson(person, person.how, await this.#ask('POST', path, body, options, person.how === 'register'));
  }

  async signIn() {
    await this.#one(
      (person) => person.wrongPasswords < 5 && !person.is('absent') && (!person.is('erased') || this.chance.chance(0.2)),
      'register',
      async (person) => {
        const answer = await this.#ask('POST', '/auth/sign-in', { email: person.email, password }, { signedIn: false });
        this.ledger.notePerson(person, 'signIn', answer);
        if (answer.status !== 200) return;
        const { access_token: token, refresh_token: refresh, user } = answer.body;
        person.userId ??= user.user_id;
        person.sessions.push({ token, refresh, used: null, state: 'goes on' });
      },
    );
  }

  use = () => this.#ofSession('use', 'GET', '/user/me');
  signOut = () =>
    this.#inSession(
      () => true,
      ({ person, session }) => this.signOutOf(person, session),
    );
  /** Sends a request that only administrators may send. */
  overreach = () => this.#ofSession('overreach', 'POST', '/admin/groups', { name: 'mine' }, true);

  async refresh() {
    await this.#inSession(
      ({ refresh }) => refresh !== null,
      async ({ person, session }) => {
        const answer = await this.#ask('POST', '/auth/refresh', { refresh_token: session.refresh }, { signedIn: false });
        this.ledger.noteSession(person, session, 'refresh', answer);
        if (answer.status !== 200) return;
        const { access_token: token, refresh_token: refresh } = answer.body;
        Object.assign(session, { token, used: session.refresh, usedAt: Date.now(), refresh });
      },
    );
  }

  /** Uses a refresh token after its grace period. This must end the session. */
  async reuse() {
    await this.#inSession(
      ({ used, usedAt, state }) => used !== null && Date.now() - usedAt > graceMillis && state === 'goes on',
      async ({ person, session }) => {
        if (session.used === null) return;
        const answer = await this.#ask('POST', '/auth/refresh', { refresh_token: session.used }, { signedIn: false });
        session.state = answer.status === null ? 'unsure' : 'ended';
        session.refresh = null;
        this.ledger.noteSession(person, session, 'refresh', answer);
      },
    );
  }

  async #change(type, method, pathOf, body, group) {
    await this.#one(stillThere, 'signIn', async (person) => {
      const answer = await this.#ask(method, `/admin/users/${person.userId}${pathOf}`, body);
      this.ledger.notePerson(person, type, answer, group);
    });
  }

  /** Ends a user's sessions; `type` is `disable` or `erase`. */
  async endSessionsOf(person, type) {
    const path = `/admin/users/${person.userId}`;
    const answer = type === 'erase' ? await this.#ask('DELETE', path) : await this.#ask('PATCH', path, { enabled: false });
    this.ledger.notePerson(person, type, answer);
    if (answer.status === 200) await this.#tryAtOnce(person, person.sessions.at(-1));
  }

  disable = () => this.#one(stillThere, 'signIn', (person) => this.endSessionsOf(person, 'disable'));
  erase = () => this.#one(stillThere, 'signIn', (person) => this.endSessionsOf(person, 'erase'));
  enable = () => this.#change('enable', 'PATCH', '', { enabled: true });

  join = () => this.#regroup('join', 'PUT');
  leave = () => this.#regroup('leave', 'DELETE');

  async #regroup(type, method) {
    const group = this.chance.pick(['CreatingBotAllowed', 'PublishAllowed']);
    // The address of a user who signed up is not verified.
    const confirmed = method === 'PUT' ? '?confirm_unverified=true' : '';
    await this.#change(type, method, `/groups/${group}${confirmed}`, undefined, group);
  }

  async takenGroup() {
    this.ledger.noteStatus('takenGroup', await this.#ask('POST', '/admin/groups', { name: 'Admin' }, {}, true), 409);
  }

  async keyed() {
    const record = this.ledger.keyedBot(this.chance.ulid(), this.number);
    this.#keyed.push(record);
    await this.#create(record);
  }

  async keyedAgain() {
    const open = this.#keyed.filter(({ isAcknowledged }) => !isAcknowledged);
    if (this.#keyed.length === 0) return this.keyed();
    await this.#create(this.chance.pick(open.length > 0 && this.chance.chance(0.7) ? open : this.#keyed.slice(-20)));
  }

  async #create(record) {
    const answer = await this.#ask('POST', '/bot', record.body, { headers: { 'idempotency-key': record.id } });
    this.ledger.noteKeyed(record, answer);
  }

  /** Uses the key of one request for another request. */
  async keyedOtherwise() {
    const record = this.#keyed.findLast(({ isAcknowledged }) => isAcknowledged);
    if (!record) return this.keyed();
    const options = { headers: { 'idempotency-key': record.id } };
    this.ledger.noteStatus('keyedOtherwise', await this.#ask('POST', '/bot', { title: 'Another' }, options, true), 409);
  }
}
