// A client that sends commands of many kinds through both edges, one after another, and repeats those with an Idempotency-Key like a careful client.
import { setTimeout as pause } from 'node:timers/promises';
import { outcomeOf } from './command-ledger.mjs';

const weights = {
  create: 12,
  createOnce: 16,
  change: 16,
  remove: 3,
  group: 4,
  groupOnce: 4,
  talk: 8,
  talkOnce: 8,
  talkOwn: 4,
  goOn: 10,
  retitle: 4,
  apiKey: 2,
  apiKeyOnce: 3,
  unknownField: 1,
  staleVersion: 1,
  unknownBot: 1,
  reusedKey: 1,
  find: 4,
  list: 2,
};
/** The pause after each request, and after one that a service could not take, in milliseconds. */
const PAUSES = [100, 1_100];
const AFTER_REFUSAL = [500, 2_000];
/** How many times a command with a key is sent, at most, while the load runs. */
const ATTEMPTS = 3;
const REPEATED = 0.7;

export class Commander {
  #bots = [];
  #conversations = [];
  #sent = 0;

  /** `published` are the IDs of published bots. */
  constructor({ edges, ledger, chance, number, published }) {
    Object.assign(this, { edges, ledger, chance, number, published });
    this.edge = number % edges.urls.length;
  }

  async work(isOver) {
    while (!isOver()) {
      await this[this.chance.weighted(weights)]();
      await pause(this.chance.between(...PAUSES));
    }
  }

  create() {
    return this.#create('create');
  }

  createOnce() {
    return this.#create('createOnce', { isKeyed: true });
  }

  async change() {
    if (this.#bots.length === 0) return this.create();
    const { id } = this.chance.pick(this.#bots);
    const mark = this.#mark('change');
    await this.#run('change', mark, 'PATCH', `/bot/${id}`, { title: mark }, { botId: id });
  }

  async remove() {
    if (this.#bots.length < 3) return this.create();
    const at = this.chance.between(0, this.#bots.length - 1);
    const [{ id }] = this.#bots.splice(at, 1);
    await this.#run('remove', `removal of ${id}`, 'DELETE', `/bot/${id}`, undefined, { botId: id });
  }

  group() {
    return this.#group('group');
  }

  groupOnce() {
    return this.#group('groupOnce', { isKeyed: true });
  }

  talk() {
    return this.#talk('talk');
  }

  talkOnce() {
    return this.#talk('talkOnce', {}, { isKeyed: true });
  }

  /** Begins a conversation whose ID is of the client. */
  talkOwn() {
    return this.#talk('talkOwn', { conversation_id: this.chance.ulid() });
  }

  /** Sends another message to an earlier conversation. The previous reply may still be owed. */
  async goOn() {
    if (this.#conversations.length === 0) return this.talk();
    const { id } = this.chance.pick(this.#conversations);
    await this.#talk('goOn', { conversation_id: id }, { refusals: [409], isKeyed: this.chance.chance(0.5) });
  }

  async retitle() {
    const conversation = this.#conversations.find(({ isTitled }) => !isTitled);
    if (!conversation) return this.talk();
    conversation.isTitled = true;
    const mark = this.#mark('retitle');
    await this.#run('retitle', mark, 'PATCH', `/conversation/${conversation.id}/title`, { title: mark });
  }

  apiKey() {
    return this.#apiKey('apiKey');
  }

  apiKeyOnce() {
    return this.#apiKey('apiKeyOnce', { isKeyed: true });
  }

  async unknownField() {
    const mark = this.#mark('unknownField');
    await this.#run('unknownField', mark, 'POST', '/bot', { title: mark, flavour: 'sweet' }, { refusals: [400], mustFail: true });
  }

  async staleVersion() {
    if (this.#bots.length === 0) return this.create();
    const { id } = this.chance.pick(this.#bots);
    const mark = this.#mark('staleVersion');
    const options = { botId: id, refusals: [412], mustFail: true, headers: { 'if-match': '"0"' } };
    await this.#run('staleVersion', mark, 'PATCH', `/bot/${id}`, { title: mark }, options);
  }

  unknownBot() {
    return this.#talk('unknownBot', { bot_id: this.chance.ulid() }, { refusals: [404], mustFail: true });
  }

  async reusedKey() {
    const created = this.#bots.find(({ key }) => key !== undefined);
    if (!created) return this.createOnce();
    const mark = this.#mark('reusedKey');
    const options = { refusals: [409], mustFail: true, headers: { 'idempotency-key': created.key } };
    await this.#run('reusedKey', mark, 'POST', '/bot', { title: mark }, options);
  }

  /** An acknowledged bot is there at once, at any edge. */
  async find() {
    if (this.#bots.length === 0) return this.create();
    await this.#query(`/bot/${this.chance.pick(this.#bots).id}`);
  }

  list() {
    return this.#query('/bot?limit=5');
  }

  async #create(kind, options) {
    const mark = this.#mark(kind);
    const { body, key } = await this.#run(kind, mark, 'POST', '/bot', { title: mark }, options);
    if (body.id !== undefined) this.#bots.push({ id: body.id, key });
  }

  async #group(kind, options) {
    const mark = this.#mark(kind);
    await this.#run(kind, mark, 'POST', '/admin/groups', { name: mark }, options);
  }

  async #talk(kind, where = {}, options = {}) {
    const mark = this.#mark(kind);
    const message = { content: [{ content_type: 'text', body: mark }] };
    const { body } = await this.#run(kind, mark, 'POST', '/conversation', { ...where, message }, options);
    if (kind !== 'goOn' && body.conversation_id !== undefined) this.#conversations.push({ id: body.conversation_id, isTitled: false });
  }

  async #apiKey(kind, options) {
    const mark = this.#mark(kind);
    const path = `/bot/${this.chance.pick(this.published)}/publication/api-key`;
    await this.#run(kind, mark, 'POST', path, { description: mark }, options);
  }

  #mark(kind) {
    return `${kind}-${this.number}-${++this.#sent}`;
  }

  /** Sends a command, and repeats it with its key while it is not acknowledged. Returns its last body, which is empty if it was not acknowledged. */
  async #run(kind, mark, method, path, body, { isKeyed = false, headers = {}, ...more } = {}) {
    const key = isKeyed ? `ledger-${mark}` : undefined;
    const command = this.ledger.command(kind, mark, { method, path, body }, { key, ...more });
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#attempt(command, { ...headers, ...(key && { 'idempotency-key': key }) });
      if (answer.status !== null && answer.status < 300) return { body: answer.body, key };
      if (answer.status === null || answer.status === 503) await pause(this.chance.between(...AFTER_REFUSAL));
      const mayRepeat = isKeyed && answer.code !== 'recorded_not_visible' && (answer.status === null || answer.status === 503);
      if (!mayRepeat || attempt === ATTEMPTS || !this.chance.chance(REPEATED)) return { body: {}, key };
    }
  }

  async #attempt(command, headers) {
    const { method, path, body } = command.request;
    const answer = await this.edges.ask(this.#nextEdge(), method, path, body, headers);
    this.ledger.note(command, noted(answer));
    this.#leaveLostEdge(answer);
    return answer;
  }

  async #query(path) {
    const answer = await this.edges.ask(this.#nextEdge(), 'GET', path);
    this.ledger.noteQuery(path, noted(answer));
    this.#leaveLostEdge(answer);
  }

  /** Mostly the same edge, sometimes the other one. */
  #nextEdge() {
    if (this.chance.chance(0.2)) this.edge = (this.edge + 1) % this.edges.urls.length;
    return this.edge;
  }

  #leaveLostEdge(answer) {
    if (outcomeOf(answer) !== 'done' && answer.status === null) this.edge = (this.edge + 1) % this.edges.urls.length;
  }
}

/** The parts of an answer that the ledger keeps. `id` is what the answer names: repeats have to name the same. */
export function noted({ status, code, body, millis }) {
  const id = status !== null && status < 300 ? (body.id ?? body.message_id ?? body.name) : undefined;
  return { status, code, id, repeatWith: body.repeat_with, millis };
}
