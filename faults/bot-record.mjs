// The possible states of a bot, derived from requests and answers: an independent model of the rules of bots.

const absent = 'absent';
const deleted = 'deleted';
const nobody = { scope: 'private', pin: null };

/** The state of a bot that is not deleted, as text. */
const living = ({ title, scope, pin }) => `living ${scope} ${pin} ${title}`;

function readingOf(state) {
  const [, scope, pin, ...title] = state.split(' ');
  return { scope, pin: pin === 'null' ? null : Number(pin), title: title.join(' ') };
}

const isLiving = (state) => state.startsWith('living ');
const statusOf = ({ scope, pin }) => (pin !== null ? `pinned@00${pin}` : scope === 'private' ? 'unshared' : 'shared');
const shown = (bot) => `${bot.title} ${bot.scope} ${statusOf(bot)}`;

/** A request that an absent or deleted bot answers with 404. `rule` gets the bot and returns its change, or a refusal. */
const ofLiving = (rule) => (state, requested) => {
  if (!isLiving(state)) return { after: state, answer: '404' };
  const bot = readingOf(state);
  const changed = rule(bot, requested);
  if (typeof changed === 'string') return { after: state, answer: changed };
  const now = { ...bot, ...changed };
  return { after: living(now), answer: `200 ${shown(now)}`, brief: `200 ${statusOf(now)}` };
};

/** For each state and request: the next state and the expected answer. Some answers have only the sharing status. */
const rules = {
  create: (state, title) => {
    if (state === absent) return { after: living({ title, ...nobody }), answer: `201 ${shown({ title, ...nobody })}` };
    if (state === deleted) return { after: deleted, answer: '409' };
    return { after: state, answer: `201 ${shown(readingOf(state))}` };
  },
  // An unknown field is refused in every state.
  malformed: (state) => ({ after: state, answer: '400' }),
  delete: (state) => {
    if (state === absent) return { after: absent, answer: '404' };
    return isLiving(state) && readingOf(state).pin !== null ? { after: state, answer: '409' } : { after: deleted, answer: '204' };
  },
  find: ofLiving(() => ({})),
  configure: ofLiving((_, title) => ({ title })),
  share: ofLiving(({ scope, pin }, wanted) => {
    const isNarrower = wanted === 'private' || (wanted === 'partial' && scope === 'all');
    return pin !== null && isNarrower ? '409' : { scope: wanted };
  }),
  pin: ofLiving(({ scope }, order) => (scope === 'private' ? '409' : { pin: order })),
  unpin: ofLiving(() => ({ pin: null })),
};

/** Keeps all states that the answers allow. An answer removes some; a request without an answer adds some. */
export class BotRecord {
  possible = new Set([absent]);

  constructor(id) {
    this.id = id;
  }

  get isSurelyLiving() {
    return this.possible.size === 1 && isLiving([...this.possible][0]);
  }

  /** Returns the problem of an answer, or undefined. `requested` is the title, scope or order in the request. */
  answered(request, requested, status, body) {
    const isGood = status === 200 || status === 201;
    const fields = body?.title === undefined ? [body?.status] : [body.title, body.shared_scope, body.status];
    const answer = isGood ? `${status} ${fields.join(' ')}` : String(status);
    const outcomes = [...this.possible].map((state) => rules[request](state, requested));
    const fitting = outcomes.filter((outcome) => answer === (request.endsWith('pin') ? (outcome.brief ?? outcome.answer) : outcome.answer));
    const states = [...this.possible].join(' or ');
    if (fitting.length === 0) return `bot ${this.id}: ${request} ${requested} answered ${answer}, though the bot was ${states}`;
    this.possible = new Set(fitting.map(({ after }) => after));
    return undefined;
  }

  lost(request, requested) {
    const after = Array.from(this.possible, (state) => rules[request](state, requested).after);
    this.possible = this.possible.union(new Set(after));
  }

  /**
   * Returns the problem of the bot's events, or undefined. Without a problem, the states that fit the events remain. Titles are not
   * compared, because they are sealed in the log; answers show them.
   */
  found(events) {
    const state = events.reduce(stateAfter, absent);
    const sealed = (one) => (isLiving(one) ? living({ ...readingOf(one), title: '?' }) : one);
    const fitting = [...this.possible].filter((one) => sealed(one) === state);
    if (fitting.length === 0) return `bot ${this.id} is ${state} in the log, though it was ${[...this.possible].join(' or ')}`;
    this.possible = new Set(fitting);
    return undefined;
  }
}

function stateAfter(state, { type, ...event }) {
  if (type === 'BotCreated') return living({ title: '?', ...nobody });
  if (type === 'BotDeleted' || type === 'BotDeletedWithOwner') return deleted;
  const bot = readingOf(state);
  if (type === 'BotWidened' || type === 'BotNarrowed') return living({ ...bot, scope: event.after.scope });
  if (type === 'BotPinned') return living({ ...bot, pin: event.order });
  return type === 'BotUnpinned' ? living({ ...bot, pin: null }) : state;
}
