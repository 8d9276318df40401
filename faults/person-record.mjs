// The possible states of a user and of the user's sessions, derived from requests and answers.

const states = ['absent', 'enabled', 'disabled', 'erased'];
const anybody = ['enabled', 'disabled'];

/** For each request and previous state: [next state, expected status]. */
const rules = {
  register: { absent: ['enabled', 201], enabled: ['enabled', 409], disabled: ['disabled', 409] },
  // The request has an Idempotency-Key, so a repeat gets the first answer.
  make: { absent: ['enabled', 201], enabled: ['enabled', 201], disabled: ['disabled', 201], erased: ['erased', 409] },
  signIn: { absent: ['absent', 401], enabled: ['enabled', 200], disabled: ['disabled', 403], erased: ['erased', 401] },
  disable: { enabled: ['disabled', 200], disabled: ['disabled', 200], erased: ['erased', 404] },
  enable: { enabled: ['enabled', 200], disabled: ['enabled', 200], erased: ['erased', 404] },
  join: { enabled: ['enabled', 200], disabled: ['disabled', 200], erased: ['erased', 404] },
  leave: { enabled: ['enabled', 204], disabled: ['disabled', 204], erased: ['erased', 404] },
  find: { enabled: ['enabled', 200], disabled: ['disabled', 200], erased: ['erased', 404] },
  erase: { enabled: ['erased', 200], disabled: ['erased', 200], erased: ['erased', 404] },
};

/** The expected answers to a session's token, by the known state of the session. */
const ofSession = { use: 200, refresh: 200, signOut: 204, overreach: 403 };
const endsSessions = ['disable', 'erase'];

export class PersonRecord {
  possible = new Set(['absent']);
  /** By group, the possible memberships of the user. */
  groups = new Map([
    ['CreatingBotAllowed', new Set([true])],
    ['PublishAllowed', new Set([false])],
  ]);
  sessions = [];
  userId = null;
  wrongPasswords = 0;
  /** Whether the erasure was answered, and therefore is complete. */
  isErasedForGood = false;

  /** `how`: `register` (by themselves) or `make` (by an administrator, with a key). */
  constructor(id, owner, how) {
    Object.assign(this, { id, owner, how, key: `key-of-${id}` });
  }

  get email() {
    return `${this.id.toLowerCase()}@example.org`;
  }

  is(...wanted) {
    return [...this.possible].every((state) => wanted.includes(state));
  }

  /** Returns the problem of an answer, or undefined. */
  answered(request, status, body, group) {
    const fitting = [...this.possible].filter((state) => rules[request][state]?.[1] === status);
    if (fitting.length === 0) return `${this.#name}: ${request} answered ${status} ${body?.code ?? ''}, though they were ${this.#maybe}`;
    this.possible = new Set(fitting.map((state) => rules[request][state][0]));
    if (status === 401) this.wrongPasswords++;
    if (status >= 300) return undefined;
    if (endsSessions.includes(request)) for (const session of this.sessions) session.state = 'ended';
    if (request === 'erase') this.isErasedForGood = true;
    if (request === 'join') this.groups.set(group, new Set([true]));
    if (request === 'leave') this.groups.set(group, new Set([false]));
    // A repeat with the key gets the first answer, with the fields of that time.
    return this.#contradiction(request === 'make' ? { user_id: body.user_id } : body);
  }

  lost(request, group) {
    this.possible = new Set([...this.possible].flatMap((state) => [state, rules[request][state]?.[0] ?? state]));
    if (endsSessions.includes(request)) for (const session of this.sessions) if (session.state === 'goes on') session.state = 'unsure';
    if (request === 'join' || request === 'leave') this.groups.get(group).add(request === 'join');
  }

  /** Returns the problem of an answer to a session's token, or undefined. */
  sessionAnswered(session, request, status) {
    const good = ofSession[request];
    const expected = { 'goes on': [good], ended: [401], unsure: [good, 401] }[session.state];
    if (!expected.includes(status)) return `${this.#name}: ${request} answered ${status} in a session that ${session.state}`;
    session.state = status === 401 || request === 'signOut' ? 'ended' : 'goes on';
    return undefined;
  }

  sessionLost(session, request) {
    if (request === 'signOut' && session.state === 'goes on') session.state = 'unsure';
    // It is unknown which of two refresh tokens is the newest. Using the older one would end the session.
    if (request === 'refresh') session.refresh = null;
  }

  /** Returns the problems of the log. If there are none, the log's state becomes the only possible one. */
  problems(evidence) {
    if (this.userId === null) return [];
    const events = evidence.stream('identity', `user-${this.userId}`).flatMap((commit) => commit.events.map(({ event }) => event));
    let state = 'absent';
    let groups = [];
    for (const event of events) {
      if (event.type === 'UserRegistered') [state, groups] = ['enabled', event.groups];
      if (event.type === 'UserDisabled') state = 'disabled';
      if (event.type === 'UserEnabled') state = 'enabled';
      if (event.type === 'UserErased') state = 'erased';
      if (event.type === 'UserJoinedGroup') groups = [...groups, event.group];
      if (event.type === 'UserLeftGroup') groups = groups.filter((each) => each !== event.group);
    }
    if (!this.possible.has(state)) return [`${this.#name} is ${state} in the log, though they were ${this.#maybe}`];
    this.possible = new Set([state]);
    const problem = anybody.includes(state) ? this.#contradiction({ groups }) : undefined;
    return problem ? [`in the log, ${problem}`] : [];
  }

  get #name() {
    return `person ${this.id}`;
  }

  get #maybe() {
    return states.filter((state) => this.possible.has(state)).join(' or ');
  }

  /** The problems of the fields in a body. */
  #contradiction(body) {
    if (body?.user_id !== undefined) {
      if (this.userId !== null && this.userId !== body.user_id)
        return `${this.#name} was created twice, as ${this.userId} and ${body.user_id}`;
      this.userId = body.user_id;
    }
    if (body?.enabled !== undefined && !this.possible.has(body.enabled ? 'enabled' : 'disabled'))
      return `${this.#name} is shown as ${body.enabled ? 'enabled' : 'disabled'}, though they were ${this.#maybe}`;
    for (const [group, possible] of body?.groups === undefined ? [] : this.groups) {
      const isIn = body.groups.includes(group);
      if (!possible.has(isIn)) return `${this.#name} is ${isIn ? '' : 'not '}in ${group}, unlike the answer`;
      this.groups.set(group, new Set([isIn]));
    }
    return undefined;
  }
}

/** The requests with one Idempotency-Key. */
export class KeyedRecord {
  ids = new Set();
  isAcknowledged = false;

  constructor(id, owner) {
    Object.assign(this, { id, owner, title: `Keyed ${id}` });
  }

  /** Titles are sealed in the log, stop sequences are not. */
  get body() {
    return { title: this.title, generation_params: { stop_sequences: [this.title] } };
  }

  answered(status, body) {
    if (status !== 201) return `key ${this.id} answered ${status} ${body?.code ?? ''}`;
    this.isAcknowledged = true;
    this.ids.add(body.id);
    return this.ids.size > 1 ? `key ${this.id} made ${[...this.ids].join(' and ')}` : undefined;
  }

  problems(evidence) {
    const made = evidence.all('bots', 'SELECT stream FROM commits WHERE version = 1 AND instr(events, ?) > 0', `"${this.title}"`).length;
    if (made > 1) return [`key ${this.id} made ${made} bots`];
    return this.isAcknowledged && made === 0 ? [`key ${this.id} was answered, and there is no bot`] : [];
  }
}
