// The possible states of a bot, derived from requests and answers: an independent model of the rules of bots.

const absent = 'absent';
const deleted = 'deleted';
const living = (title) => `living ${title}`;

/** For each state and request: the next state and the expected answer. */
const rules = {
  create: (state, title) => {
    if (state === absent) return { after: living(title), answer: `201 ${title}` };
    if (state === deleted) return { after: deleted, answer: '409' };
    return { after: state, answer: `201 ${state.slice('living '.length)}` };
  },
  // An unknown field is refused in every state.
  malformed: (state) => ({ after: state, answer: '400' }),
  delete: (state) => (state === absent ? { after: absent, answer: '404' } : { after: deleted, answer: '204' }),
  find: (state) =>
    state.startsWith('living ') ? { after: state, answer: `200 ${state.slice('living '.length)}` } : { after: state, answer: '404' },
};

/** Keeps all states that the answers allow. An answer removes some; a request without an answer adds some. */
export class BotRecord {
  possible = new Set([absent]);

  constructor(id) {
    this.id = id;
  }

  get isSurelyLiving() {
    return this.possible.size === 1 && [...this.possible][0].startsWith('living ');
  }

  /** Returns the problem of an answer, or nothing. */
  answered(request, title, status, body) {
    const answer = status === 200 || status === 201 ? `${status} ${body?.title}` : String(status);
    const outcomes = [...this.possible].map((state) => rules[request](state, title));
    const fitting = outcomes.filter((outcome) => outcome.answer === answer);
    const states = [...this.possible].join(' or ');
    if (fitting.length === 0) return `bot ${this.id}: ${request} answered ${answer}, though the bot was ${states}`;
    this.possible = new Set(fitting.map(({ after }) => after));
    return undefined;
  }

  lost(request, title) {
    const after = Array.from(this.possible, (state) => rules[request](state, title).after);
    this.possible = this.possible.union(new Set(after));
  }

  /** Returns the problem of the bot's events, or nothing. Without a problem, their state becomes the only possible one. */
  found(events) {
    const state = events.reduce((_, event) => (event.type === 'BotCreated' ? living(event.title) : deleted), absent);
    if (!this.possible.has(state)) return `bot ${this.id} is ${state} in the log, though it was ${[...this.possible].join(' or ')}`;
    this.possible = new Set([state]);
    return undefined;
  }
}
