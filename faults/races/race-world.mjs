// A running product with people, and a mail server that keeps the links of invitations.
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { patience } from '../../libs/testing/dist/patience.js';
import { waitFor } from '../../libs/testing/dist/wait-for.js';
import { FactorUser, STEP_MILLIS } from '../factor-user.mjs';

export const PASSWORD = 'correct horse battery';
const ORIGIN = 'http://localhost';
/** Requests of a race start within this time. */
const SPREAD_MILLIS = 6;

export class RaceWorld {
  #people = 0;
  /** The tokens in the mails, by address. */
  #links = new Map();

  static async open(root, seed, Trial, agent) {
    const world = new RaceWorld();
    world.agent = agent;
    world.mail = await world.#mailServer();
    world.trial = await Trial.open(root, seed, 'races', {
      PARLANCE_SMTP_URL: `smtp://127.0.0.1:${world.mail.server.address().port}`,
      PARLANCE_MAIL_FROM: 'Parlance <no-reply@example.org>',
      PARLANCE_PUBLIC_BASE_URL: ORIGIN,
      // Neither an open circuit breaker nor a load limit may disturb a race.
      PARLANCE_MAX_OWED_REPLIES: '10000',
    });
    const [problem] = await world.trial.start();
    if (problem) {
      await world.close({ keep: false });
      throw new Error(problem.problems.join());
    }
    return world;
  }

  chanceOf(...names) {
    return this.trial.chanceOf(...names);
  }

  get product() {
    return this.trial.product;
  }

  /** Sends a request with this token: anonymous without one, as the first Admin with `null`. */
  ask(token, method, path, body, headers) {
    const signedIn = token === null;
    return this.product.ask(method, path, body, { signedIn, ...(token && { token }), agent: this.agent, headers });
  }

  async good(token, method, path, body, headers) {
    const answer = await this.ask(token, method, path, body, headers);
    if (answer.status === null || answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body ?? answer.why)}`);
    return answer.body;
  }

  /** Starts the tasks in random order, at moments close to each other. */
  race(chance, works) {
    return Promise.all(
      works.map(async (work) => {
        await pause(chance.between(0, SPREAD_MILLIS));
        return work();
      }),
    );
  }

  async person(groups = []) {
    const email = `racer-${++this.#people}@example.org`;
    const { user_id } = await this.good(null, 'POST', '/admin/users', {
      email,
      first_name: 'Ann',
      last_name: 'Racer',
      groups: ['CreatingBotAllowed', ...groups],
      password: PASSWORD,
    });
    const token = await this.signIn(email);
    return { email, userId: user_id, token };
  }

  async signIn(email, password = PASSWORD) {
    return (await this.good(undefined, 'POST', '/auth/sign-in', { email, password })).access_token;
  }

  /** A user who adds factors early in a time step, so that the codes of this and the previous step stay valid during the race. */
  async factorUser() {
    const into = Date.now() % STEP_MILLIS;
    if (into > STEP_MILLIS / 2) await pause(STEP_MILLIS - into);
    const holder = new FactorUser(this.product, {
      email: `holder-${++this.#people}@example.org`,
      origin: ORIGIN,
      counts: false,
      agent: this.agent,
    });
    await holder.enrol(Date.now());
    return holder;
  }

  /** The token in the mail to this address. */
  linkTo(email) {
    return waitFor(() => this.#links.get(email), { timeout: patience(60_000), what: `the mail to ${email}` });
  }

  /** A published bot for all users, with a quota for each key. */
  async published(owner, limit) {
    const { id: bot } = await this.good(owner, 'POST', '/bot', { title: 'Harbour' });
    await this.good(owner, 'PATCH', `/bot/${bot}/visibility`, { target_shared_scope: 'all' });
    await this.good(owner, 'POST', `/bot/${bot}/publication`, {
      allowed_origins: ['*'],
      quota: { limit, period: 'MONTH' },
      throttle: { rate_limit: 100_000, burst_limit: 10_000 },
    });
    const endpoint = async () => (await this.good(owner, 'GET', `/bot/${bot}/publication`)).endpoint;
    const { pathname } = new URL(await waitFor(endpoint, { timeout: patience(30_000), what: 'the deployment to end' }));
    return { bot, path: pathname };
  }

  async close({ keep }) {
    this.agent.destroy();
    await this.trial.end({ keep });
    await new Promise((done) => this.mail.close(done));
  }

  async #mailServer() {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      onData: (stream, session, done) => {
        const parts = [];
        stream.on('data', (part) => parts.push(part));
        stream.on('end', () => {
          const text = Buffer.concat(parts).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
          const [, token] = /\/app\/[\w-]+#([\w.-]{70})/.exec(text) ?? [];
          for (const { address } of session.envelope.rcptTo) if (token) this.#links.set(address, token);
          done();
        });
      },
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  }
}

/** The number of accepted requests. */
export const accepted = (answers) => answers.filter(({ status }) => status !== null && status < 300).length;

/** A problem, unless exactly this many requests were accepted. */
export const exactly = (count, answers) =>
  accepted(answers) === count ? [] : [`${accepted(answers)} of ${answers.length} were accepted, not ${count}: ${summary(answers)}`];

/** Problems of answers that neither accept nor refuse. */
export const broken = (answers) =>
  answers.flatMap(({ status, body, why }) =>
    status === null || (status >= 500 && status !== 503) ? [`answered ${status} ${JSON.stringify(body ?? why)}`] : [],
  );

export const summary = (answers) => answers.map(({ status, body }) => body?.code ?? status).join(' ');
