// Clients that send requests concurrently until the process ends. Each has its own bots, conversations and users, so that the order of the
// requests to each of these is known.
import { KnowledgeClient, weightsOfKnowledge } from './knowledge-client.mjs';
import { PeopleClient, weightsOfPeople } from './people-client.mjs';
import { connection } from './product.mjs';

const weights = {
  create: 30,
  repeat: 8,
  twice: 4,
  malformed: 2,
  delete: 8,
  find: 4,
  configure: 8,
  share: 10,
  pin: 6,
  talk: 20,
  talkTwice: 3,
  goOn: 16,
  nowhere: 2,
};

const allWeights = { ...weights, ...weightsOfPeople, ...weightsOfKnowledge };

/** Starts the load: all kinds of requests, or the chosen ones by their weights. `stop` ends it after the running requests. */
export function startClients(product, ledger, count, randomOf, chosen = allWeights) {
  const stopping = new AbortController();
  const clients = Array.from({ length: count }, (_, number) =>
    new Client(product, ledger, randomOf(number), number).work(stopping.signal, chosen),
  );
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(clients);
    },
  };
}

class Client {
  #agent = connection();
  #bots = [];
  #conversations = [];

  constructor(product, ledger, chance, number) {
    this.product = product;
    this.ledger = ledger;
    this.chance = chance;
    this.people = new PeopleClient(this, number);
    this.knowledge = new KnowledgeClient(this, number);
  }

  async work(signal, chosen) {
    try {
      while (!signal.aborted && this.product.isRunning) {
        const next = this.chance.weighted(chosen);
        const client = next in weights ? this : next in weightsOfPeople ? this.people : this.knowledge;
        await client[next]();
      }
    } finally {
      await this.people.end();
      this.#agent.destroy();
    }
  }

  ask(method, path, body, options = {}) {
    return this.product.ask(method, path, body, { agent: this.#agent, ...options });
  }

  async #post(record, title, type = 'create', more = {}, ask = (...args) => this.ask(...args)) {
    const answer = await ask('POST', '/bot', { id: record.id, title, ...more });
    this.ledger.noteBot(record, type, title, answer);
  }

  async create() {
    const record = this.ledger.bot(this.chance.ulid());
    this.#bots.push(record);
    await this.#post(record, `Bot ${this.#bots.length}`);
  }

  /** Repeats a creation like a client that received no answer, or wrongly with another title. */
  async repeat() {
    if (this.#bots.length === 0) return this.create();
    const record = this.chance.pick(this.#bots);
    await this.#post(record, this.chance.chance(0.5) ? 'Another title' : 'Bot 1');
  }

  /** Sends both at once, over two connections. */
  async twice() {
    const record = this.ledger.bot(this.chance.ulid());
    this.#bots.push(record);
    const other = (...args) => this.product.ask(...args);
    await Promise.all([this.#post(record, 'Twin'), this.#post(record, 'Twin', 'create', {}, other)]);
  }

  async malformed() {
    await this.#post(this.ledger.bot(this.chance.ulid()), 'Never', 'malformed', { flavour: 'sweet' });
  }

  async delete() {
    const record = this.#bots.length === 0 || this.chance.chance(0.1) ? this.ledger.bot(this.chance.ulid()) : this.chance.pick(this.#bots);
    this.ledger.noteBot(record, 'delete', '', await this.ask('DELETE', `/bot/${record.id}`));
  }

  async find() {
    if (this.#bots.length === 0) return this.create();
    const record = this.chance.pick(this.#bots);
    this.ledger.noteBot(record, 'find', '', await this.ask('GET', `/bot/${record.id}`));
  }

  async configure() {
    if (this.#bots.length === 0) return this.create();
    const record = this.chance.pick(this.#bots);
    const title = `Title ${this.chance.between(1, 1_000_000)}`;
    this.ledger.noteBot(record, 'configure', title, await this.ask('PATCH', `/bot/${record.id}`, { title }));
  }

  async share() {
    if (this.#bots.length === 0) return this.create();
    const record = this.chance.pick(this.#bots);
    const scope = this.chance.pick(['private', 'partial', 'all']);
    const lists = scope === 'partial' && { target_allowed_group_ids: ['CreatingBotAllowed'] };
    const body = { target_shared_scope: scope, ...lists };
    this.ledger.noteBot(record, 'share', scope, await this.ask('PATCH', `/bot/${record.id}/visibility`, body));
  }

  async pin() {
    if (this.#bots.length === 0) return this.create();
    const record = this.chance.pick(this.#bots);
    const isPin = this.chance.chance(0.6);
    const order = this.chance.between(1, 9);
    const body = isPin ? { to_pinned: true, order } : { to_pinned: false };
    const answer = await this.ask('PATCH', `/admin/bot/${record.id}/pushed`, body);
    this.ledger.noteBot(record, isPin ? 'pin' : 'unpin', order, answer);
  }

  async #say(record, botId, expected, ask = (...args) => this.ask(...args)) {
    const text = `Message ${++record.sent} of ${record.id}: what was decided, and why?`;
    const message = { content: [{ content_type: 'text', body: text }] };
    const answer = await ask('POST', '/conversation', { conversation_id: record.id, ...(botId && { bot_id: botId }), message });
    this.ledger.noteMessage(record, text, expected, answer);
  }

  async talk() {
    const bot = this.chance.chance(0.4) ? this.#bots.find((each) => each.isSurelyLiving) : undefined;
    const record = this.ledger.conversation(this.chance.ulid(), bot?.id);
    this.#conversations.push({ record, bot });
    await this.#say(record, bot?.id, [202]);
  }

  /** Sends two first messages at once, over two connections. One starts the conversation, the other may find its reply in progress. */
  async talkTwice() {
    const record = this.ledger.conversation(this.chance.ulid());
    this.#conversations.push({ record });
    const other = (...args) => this.product.ask(...args);
    await Promise.all([this.#say(record, undefined, [202, 409]), this.#say(record, undefined, [202, 409], other)]);
  }

  /** Sends another message to an earlier conversation. The previous reply may still be owed. */
  async goOn() {
    const open = this.#conversations.filter(({ bot }) => bot === undefined || bot.isSurelyLiving);
    if (open.length === 0) return this.talk();
    const { record, bot } = this.chance.pick(open);
    await this.#say(record, bot?.id, [202, 409]);
  }

  /** Uses an unknown bot. The request must have no effect. */
  async nowhere() {
    const bot = this.chance.ulid();
    await this.#say(this.ledger.conversation(this.chance.ulid(), bot), bot, [404]);
  }
}
