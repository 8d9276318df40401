// What only the newer release knows, made while replicas of two releases run: a provider, a model and a route of the catalogue, a prompt, and a
// chat with the model. Neither release may fail because of them, and they are there after the next update.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 300;
const PROMPT = { title: 'Summary', command: 'summary', text: 'Summarise: {{text}}' };
const MODEL = 'added-model';
const ROUTE = 'added-route';

/** An OpenAI-compatible provider with one word for every question. */
export async function oneWordProvider() {
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const chunk = (choice, more) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: choice, ...more })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk([{ index: 0, delta: { role: 'assistant', content: 'Yes.' }, finish_reason: null }]));
    response.write(chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]));
    response.end(`${chunk([], { usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 } })}data: [DONE]\n\n`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

export class Additions {
  /** What was acknowledged: `prompt` is an ID, `conversation` and `message` are IDs of a chat with the added model. */
  made = {};
  problems = [];
  /** The process that is being restarted. */
  restarting = null;
  #refused = new Map();

  constructor(clients, provider) {
    this.clients = clients;
    this.provider = provider;
  }

  /** The refusals since the last call, by request and code. */
  takeRefusals() {
    const refused = [...this.#refused].map(([what, count]) => `${count} x ${what}`).join(', ') || 'none';
    this.#refused.clear();
    return refused;
  }

  /** Adds what is not there yet and reads everything, through both edges, until the work is done. */
  async during(work) {
    const over = new AbortController();
    const loops = this.clients.map(async (client, at) => {
      while (!over.signal.aborted) {
        if (at === 0) await this.#add(client);
        await this.#read(client);
        await pause(EVERY_MS);
      }
    });
    try {
      return await work();
    } finally {
      over.abort();
      await Promise.all(loops);
    }
  }

  /** The problems of a release that knows all of it. */
  async check(waitFor, timeout) {
    const [client] = this.clients;
    const missing = async () => {
      await this.#add(client);
      const answers = {
        prompt: this.made.prompt && (await client.ask('GET', `/prompts/${this.made.prompt}`)).body.text === PROMPT.text,
        model: (await client.ask('GET', '/admin/models')).body.models?.some(({ id }) => id === MODEL),
        route: (await client.ask('GET', `/admin/routes/${ROUTE}`)).status === 200,
        reply: this.made.conversation && (await this.#say(client, this.made.conversation)).status === 202,
      };
      return Object.keys(answers).filter((name) => !answers[name]);
    };
    await waitFor(async () => (await missing()).length === 0, { timeout, what: 'additions' }).catch(() => undefined);
    return (await missing()).map((name) => `${name} is not there`);
  }

  async #add(client) {
    const { made } = this;
    const once = async (name, path, body) => {
      if (made[name]) return;
      const { status, body: answer } = await this.#ask(client, 'POST', path, body);
      // Repeated after an unknown outcome.
      if (status === 201 || status === 409) made[name] = answer.id ?? name;
    };
    await once('prompt', '/prompts', PROMPT);
    await once('provider', '/admin/providers', {
      id: 'added',
      type: 'openai_compatible',
      base_url: this.provider,
      api_key: 'key-of-the-trial',
    });
    if (made.provider) await once('model', '/admin/models', { id: MODEL, provider: 'added', model: 'one-word', context_window: 8_000 });
    if (made.model) await once('route', '/admin/routes', { id: ROUTE, targets: [{ model: MODEL }] });
    if (!made.route || made.conversation) return;
    const { status, body } = await this.#say(client);
    if (status === 202) [made.conversation, made.message] = [body.conversation_id, body.message_id];
  }

  #say(client, conversation, model = { model: MODEL }) {
    const message = { content: [{ content_type: 'text', body: 'Is it there?' }], ...model };
    return this.#ask(client, 'POST', '/conversation', { ...(conversation && { conversation_id: conversation }), message });
  }

  /** Reads what contains additions, and lists of both releases. */
  async #read(client) {
    const { prompt, conversation } = this.made;
    const paths = ['/bot?limit=5', '/conversations?limit=5', '/admin/models', '/admin/providers', '/prompts?limit=5'];
    if (prompt) paths.push(`/prompts/${prompt}`);
    if (conversation) paths.push(`/conversation/${conversation}`);
    for (const path of paths) await this.#ask(client, 'GET', path);
    if (!conversation) return;
    const { status, body } = await this.#say(client, conversation);
    if (status !== 400) return;
    if (body.code !== 'model_not_available') this.problems.push(`a message with the added model was refused with ${body.code}`);
    const other = await this.#say(client, conversation, {});
    if (![202, 409, 503, 0].includes(other.status)) this.problems.push(`the chat cannot be continued: ${other.status} ${other.body.code}`);
  }

  /**
   * Every answer must be a success or a refusal with a code; nothing may be an internal error. Only an edge may say that it is about to stop, to
   * this client, which does not go to the other edge. An edge passes over a service's replica that says so.
   */
  async #ask(client, method, path, body) {
    const before = this.restarting;
    const answer = await client.ask(method, path, body).catch(() => ({ status: 0, body: {} }));
    const { status } = answer;
    if (status >= 400) {
      const what = `${method} ${path.replaceAll(/[0-9A-Z]{26}/g, '…')} ${status} ${answer.body.code}`;
      if ((status >= 500 && status !== 503) || !answer.body.code) this.problems.push(what);
      const ownEdge = `edge-${this.clients.indexOf(client) + 1}`;
      if (answer.body.code === 'shutting_down' && ![before, this.restarting].includes(ownEdge))
        this.problems.push(`${what} at ${ownEdge}, while ${before ?? 'nothing'} was restarted`);
      this.#refused.set(what, (this.#refused.get(what) ?? 0) + 1);
    }
    return answer;
  }
}
