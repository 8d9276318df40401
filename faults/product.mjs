// A single process of a built tree, on a data directory that outlives the process.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { freePort } from '../libs/testing/dist/free-port.js';
import { patience } from '../libs/testing/dist/patience.js';
import { startServer } from '../libs/testing/dist/server.js';

export const admin = { email: 'admin@parlance.local', password: 'correct horse battery' };

/** The offline model, with prices high enough to show in the figures. */
const models = {
  providers: { local: { type: 'local' } },
  models: [
    {
      id: 'local-extractive',
      provider: 'local',
      model: 'local-extractive',
      prices: [{ from: '2026-01-01T00:00:00Z', input: 0.5, output: 2 }],
    },
  ],
  defaults: { chat: 'local-extractive' },
};

/** Tokens are valid for 30 minutes; a long run gets a new one in time. */
const tokenMs = 20 * 60_000;
const patienceMs = patience(60_000);

export class Product {
  #server;
  #plan;
  #token = { value: '', until: 0 };
  /** `ready`: all rows are built; `live`: it listens. */
  startsUntil = 'ready';

  /** `root`: the tree whose build runs; `directory`: its data and logs; `more`: additions to its environment. */
  static async open(root, directory, more = {}) {
    const product = new Product();
    const port = await freePort();
    product.root = root;
    product.directory = directory;
    product.data = join(directory, 'data');
    product.port = port;
    product.#plan = {
      name: 'Parlance',
      ...product.#command([]),
      env: {
        PARLANCE_PORT: String(port),
        PARLANCE_DATA_DIR: product.data,
        PARLANCE_LOG_LEVEL: 'warn',
        PARLANCE_GUIDE_BOT: 'false',
        PARLANCE_ADMIN_EMAIL: admin.email,
        PARLANCE_ADMIN_PASSWORD: admin.password,
        PARLANCE_MODELS: JSON.stringify(models),
        // The clean-up removes the remains of a crash after a minute or two, so that a scenario can wait for it.
        PARLANCE_KNOWLEDGE_CLEAN_UP_MINUTES: '1',
        // All clients have one address.
        PARLANCE_AUTH_REQUESTS_PER_MINUTE: '0',
        PARLANCE_REQUESTS_PER_MINUTE: '0',
        PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '0',
        ...more,
      },
      ready: async () => {
        const path = `/health/${product.startsUntil}`;
        const { status } = await product.ask('GET', path, undefined, { signedIn: false });
        if (status !== 200) throw new Error(`${path} answered ${status}`);
      },
    };
    return product;
  }

  /**
   * Starts or restarts the process, and returns the milliseconds until it reached `startsUntil`. `tracer` is a command that gets the
   * product's command line as its last arguments.
   */
  async start(tracer = []) {
    const begun = performance.now();
    Object.assign(this.#plan, this.#command(tracer));
    if (this.#server) await this.#server.restart();
    else this.#server = await startServer(this.#plan, { directory: this.directory, temporary: false });
    return performance.now() - begun;
  }

  /** Sends SIGKILL, and saves the log, because the next start begins a new one. */
  async kill() {
    await this.#server?.kill();
    this.#keepLog();
  }

  async stop() {
    await this.#server?.stop();
    this.#keepLog();
  }

  get pid() {
    return this.#server?.pid;
  }

  /** Whether the process is running. */
  get isRunning() {
    const pid = this.#server?.pid;
    if (pid === undefined) return false;
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  }

  /** The command line for another command of the same program, in the same configuration. */
  commandLine(words) {
    const { command, args } = this.#command([]);
    return { command, args: [...args.slice(0, -1), ...words], env: this.#plan.env };
  }

  /**
   * A request with a token, or as the first Admin, who signs in when necessary. Resolves with status null when no answer arrived. `raw` is
   * a body that is not JSON. With `split`, that many characters of the body are sent first, and the rest after `between`.
   */
  async ask(method, path, body, { signedIn = true, token, agent, headers, split, between, raw } = {}) {
    const bearer = token ?? (signedIn ? await this.token() : undefined);
    return send({ port: this.port, method, path, body, agent, token: bearer, more: headers, split, between, raw });
  }

  signIn(agent) {
    return this.ask('POST', '/auth/sign-in', admin, { signedIn: false, agent });
  }

  async token() {
    if (Date.now() < this.#token.until) return this.#token.value;
    const { status, body } = await this.signIn();
    if (status !== 200) throw new Error(`signing in answered ${status}: ${JSON.stringify(body)}`);
    this.#token = { value: body.access_token, until: Date.now() + tokenMs };
    return this.#token.value;
  }

  /** Call it when the product's clock changes. */
  forgetToken() {
    this.#token = { value: '', until: 0 };
  }

  #command(tracer) {
    const own = [join(this.root, 'node_modules/node/bin/node'), join(this.root, 'apps/parlance/dist/main.js'), 'start'];
    const [command, ...args] = [...tracer, ...own];
    return { command, args };
  }

  #keepLog() {
    const log = join(this.directory, 'server.log');
    if (existsSync(log)) appendFileSync(join(this.directory, 'servers.log'), readFileSync(log));
  }
}

/** A connection that is kept between requests, as a client's would be. */
export const connection = () => new Agent({ keepAlive: true, maxSockets: 1 });

/** Always resolves: with the answer, or with status null after a broken connection or a timeout. */
function send({ port, method, path, body, token, agent, more, split, between, raw }) {
  return new Promise((resolve) => {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers = {
      'user-agent': 'faults/1',
      ...more,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const none = (why) => resolve({ status: null, body: null, why: String(why) });
    const asking = request({ host: '127.0.0.1', port, method, path, headers, agent, timeout: patienceMs }, (answer) => {
      let received = '';
      answer.setEncoding('utf8').on('data', (chunk) => (received += chunk));
      answer.on('error', none).on('aborted', () => none('aborted'));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: parsed(received) }));
    });
    asking.on('error', none).on('timeout', () => asking.destroy(new Error(`no answer within ${patienceMs} ms`)));
    if (between) inTwoParts(asking, text, split, between);
    else asking.end(text);
  });
}

/** Sends a body in two parts. The second is not sent if the connection has closed; a signal notifies `between`. */
function inTwoParts(asking, text, split, between) {
  const closed = new AbortController();
  asking.on('close', () => closed.abort());
  asking.write(text.slice(0, split), () =>
    between(closed.signal).then(
      () => asking.end(text.slice(split)),
      () => asking.destroy(),
    ),
  );
}

/** Parses JSON. Other text is returned unchanged, and the ledger reports it. */
function parsed(text) {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return { text };
  }
}
