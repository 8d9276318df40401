// Logs of the other services as analytics reads them: public events of an installation that was used for some months. Nothing is stored.
// Each event is generated from its index in the log and a seed, so the logs of two runs that begin at the same time are equal.
import { firstIdAt } from '@parlance/event-store';

/** Questions in a conversation. With their replies it has ten messages. */
export const TURNS = 5;
export const DAYS = 90;
export const USERS = 10_000;
export const BOTS = 1_000;
const PUBLISHED = 50;
/** Conversations that go on at the same time. */
const AT_ONCE = 64;
const COMMITS = 500;
const MODELS = ['large', 'medium', 'small', 'local'];
const CATEGORIES = ['wrong', 'incomplete', 'slow', null];
const SEED = 20_261_121;
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A number from 0 up to 1, derived from an index and a purpose (murmur3's last steps). */
function chance(index, purpose) {
  let hash = Math.imul(index ^ SEED, 0x9e3779b1) + Math.imul(purpose + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

function digits(number, count) {
  let text = '';
  for (let left = number; text.length < count; left = Math.floor(left / 32)) text = BASE32[left % 32] + text;
  return text;
}

const idOf = (kind, index) => `01K${kind}${digits(index, 22)}`;
export const userOf = (index) => idOf('A', index);
export const botOf = (index) => idOf('B', index);
export const apiOf = (index) => idOf('D', index);

/** Maps `share` (0 to 1) to numbers of which those near 0 are the most frequent: the first hundredth gets a tenth. */
const skewed = (count, share) => Math.floor(count * share * share);

export class UsageLogs {
  /** `seal` seals an address for a user. */
  constructor(conversations, end, seal) {
    this.seal = seal;
    this.turns = conversations * TURNS;
    this.begin = end - DAYS * 86_400_000;
    this.step = (end - this.begin) / this.turns;
  }

  /** The conversation at an index, and the number of its turn. */
  turnAt(index) {
    const group = Math.floor(index / (AT_ONCE * TURNS));
    const first = group * AT_ONCE;
    const size = Math.min(AT_ONCE, this.turns / TURNS - first);
    const within = index - first * TURNS;
    return { conversation: first + (within % size), turn: Math.floor(within / size) };
  }

  placeOf(conversation) {
    const group = Math.floor(conversation / AT_ONCE);
    // As in the product, the ID contains the time of the first message.
    const begun = this.begin + (group * AT_ONCE * TURNS + (conversation % AT_ONCE)) * this.step;
    const user = skewed(USERS, chance(conversation, 0));
    const hasBot = chance(conversation, 1) < 0.6;
    const bot = hasBot ? skewed(BOTS, chance(conversation, 2)) : null;
    const isOfProgram = bot !== null && bot < PUBLISHED && chance(conversation, 3) < 0.3;
    return {
      conversation_id: `${firstIdAt(Math.floor(begun))}C${digits(conversation, 15)}`,
      user_id: userOf(user),
      bot_id: bot === null ? null : botOf(bot),
      model: MODELS[skewed(MODELS.length, chance(conversation, 4))],
      ...(isOfProgram && { api_id: apiOf(bot), api_key_id: idOf('K', bot) }),
    };
  }

  /** The events of a question and its reply: one commit of the log of inference. */
  *commit(index) {
    const { conversation, turn } = this.turnAt(index);
    const of = this.placeOf(conversation);
    const time = this.begin + index * this.step;
    const id = (kind) => firstIdAt(Math.floor(time)) + kind + digits(index, 16 - kind.length);
    const about = { ...of, reply_id: id('R') };
    const charge = (at) => {
      const usage = {
        input_tokens: 200 + Math.floor(800 * chance(index, at)),
        output_tokens: 100 + Math.floor(400 * chance(index, at + 1)),
      };
      return {
        usage: { ...usage, cache_read_tokens: 0, cache_write_tokens: 0, estimated: false },
        cost_nano_dollars: 3_000 * usage.input_tokens + 15_000 * usage.output_tokens,
      };
    };
    const event = (kind, data, ordinal) =>
      eventOf('inference', kind, `conversation-${of.conversation_id}`, time, `${index + 1}.${ordinal}`, data);
    yield event('message-submitted', { ...about, message_id: id('M') }, 0);
    yield event('reply-completed', { ...about, ...charge(5) }, 1);
    const { model, conversation_id, user_id, bot_id, api_id, api_key_id } = of;
    const api = api_id === undefined ? {} : { api_id, api_key_id };
    const title = { charge_id: id('T'), purpose: 'title', conversation_id, user_id, bot_id, ...api, model };
    if (turn === 0) yield event('tokens-charged', { ...title, ...charge(7) }, 2);
    const isGood = chance(index, 10) < 0.8;
    const rating = { thumbs_up: isGood, category: isGood ? null : CATEGORIES[index % CATEGORIES.length], has_comment: index % 3 === 0 };
    if (chance(index, 9) < 0.05)
      yield event('feedback-given', { conversation_id, reply_id: about.reply_id, user_id, bot_id, ...rating }, 3);
  }

  /** All events of inference. */
  *all() {
    for (let index = 0; index < this.turns; index++) yield* this.commit(index);
  }

  /** The log of a service, for `published.enter`. */
  log(name) {
    const [count, commit] = {
      inference: [this.turns, (index) => this.commit(index)],
      identity: [USERS, (index) => this.registered(index)],
      bots: [BOTS, (index) => this.created(index)],
      publication: [PUBLISHED, (index) => this.publication(index)],
    }[name];
    return {
      after: async (position) => {
        const end = Math.min(position + COMMITS, count);
        const events = [];
        for (let index = position; index < end; index++) for await (const event of commit(index)) events.push(event);
        return { events, position: Math.max(position, end), head: count };
      },
      positionAt: async () => count + 1,
    };
  }

  async *registered(index) {
    const data = { user_id: userOf(index), email: await this.seal(userOf(index), `user${index}@example.org`) };
    yield eventOf('identity', 'user-registered', `user-${userOf(index)}`, this.begin, `${index + 1}.0`, data);
  }

  *created(index) {
    const data = { bot_id: botOf(index), owner_user_id: userOf(index), title: 'A bot' };
    yield eventOf('bots', 'bot-created', `bot-${botOf(index)}`, this.begin, `${index + 1}.0`, data);
  }

  *publication(index) {
    const of = { bot_id: botOf(index), deployment_id: apiOf(index), owner_user_id: userOf(index), api_id: apiOf(index), stage: 'api' };
    yield eventOf('publication', 'publication-succeeded', `publication-${botOf(index)}`, this.begin, `${index + 1}.0`, of);
  }

  /** The total cost, added up without analytics. */
  totals() {
    let [nanoDollars, replies, ratings] = [0n, 0, 0];
    for (const { data } of this.all()) {
      if (data.cost_nano_dollars !== undefined) nanoDollars += BigInt(data.cost_nano_dollars);
      if (data.usage !== undefined && data.reply_id !== undefined) replies++;
      if (data.thumbs_up !== undefined) ratings++;
    }
    return { nanoDollars: String(nanoDollars), replies, ratings };
  }
}

export function eventOf(source, kind, subject, time, sequence, data) {
  return {
    specversion: '1.0',
    id: `${source}.${sequence}`,
    source: `/${source}`,
    type: `parlance.${source}.${kind}.v1`,
    subject,
    time: new Date(time).toISOString(),
    datacontenttype: 'application/json',
    sequence,
    actor: 'load',
    actorip: null,
    data,
  };
}
