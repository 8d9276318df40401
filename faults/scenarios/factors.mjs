// kill -9 of the single process while second factors are used, by many concurrent requests and again after each restart: no code of an app,
// no recovery code and no assertion of a passkey is accepted twice, and guesses stay as limited as without restarts.
import { createHmac } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Evidence } from '../evidence.mjs';
import { FactorUser, STEP_MILLIS, stepAt } from '../factor-user.mjs';
import { fail, pass } from '../suite.mjs';
import { Trial } from '../trial.mjs';

const USERS = 4;
/** Concurrent requests with one proof. */
const COPIES = { beforeKill: 16, afterKill: 30 };
const GUESSES = 40;
/** Proofs of earlier rounds that are sent again. */
const OLD_ONES = 10;
/** Challenges are valid for five minutes. Older proofs would be refused for their age. */
const ROUNDS_REMEMBERED = 6;
const AT_ONCE = 60;
const ORIGIN = 'http://localhost';
/** The product's rule: ten wrong codes, then one after 30 s, and each further one after twice the time, up to 15 minutes. */
const FREE_GUESSES = 10;
const [FIRST_WAIT_MILLIS, LONGEST_WAIT_MILLIS] = [30_000, 15 * 60_000];
const refusals = new Set(['wrong_second_factor', 'wrong_passkey', 'invalid_challenge']);

export async function factors({ root, seed, count, keep }) {
  const environment = {
    PARLANCE_PUBLIC_BASE_URL: ORIGIN,
    NODE_OPTIONS: `--import=${new URL('./shifted-clock.mjs', import.meta.url).href}`,
  };
  const trial = await Trial.open(root, seed, 'factors', environment);
  const run = new Run(trial);
  const found = await run.rounds(count);
  delete process.env.FAULTS_SHIFT;
  await trial.end({ keep: keep || found.length > 0 });
  const name = `second factors, ${count} kills`;
  if (found.length === 0) pass(name, run.summary());
  else fail(name, found, `${run.summary()}; all of it is in ${trial.directory}`);
}

class Run {
  #shift = 0;
  #problems = [];
  #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  #figures = { accepted: 0, acceptedAgain: 0, replays: 0, limited: 0, busy: 0, unanswered: 0, guesses: 0, judged: 0 };

  constructor(trial) {
    this.trial = trial;
    this.product = trial.product;
  }

  summary() {
    const { accepted, acceptedAgain, replays, limited, busy, unanswered, guesses, judged } = this.#figures;
    return `${accepted} proofs accepted, ${acceptedAgain} of ${replays + acceptedAgain} replays of them (another ${limited} were refused as too many attempts, ${busy} requests as too many at once, and ${unanswered} had no answer); ${judged} of ${guesses} guesses were checked`;
  }

  #now() {
    return Date.now() + this.#shift;
  }

  async rounds(count) {
    let found = await this.trial.start();
    if (found.length > 0) return found;
    const user = (index) =>
      new FactorUser(this.product, { email: `user-${index}@example.org`, origin: ORIGIN, counts: index % 2 === 1, agent: this.#agent });
    this.users = Array.from({ length: USERS + 1 }, (_, index) => user(index));
    await Promise.all(this.users.map((each) => each.enrol(this.#now())));
    this.guessed = this.users.pop();
    for (let round = 1; round <= count && found.length === 0 && this.#problems.length === 0; round++) found = await this.#round(round);
    if (found.length === 0 && this.#problems.length === 0) await this.#everyUserSignsIn();
    this.#count();
    this.#agent.destroy();
    const { length } = this.#problems;
    return length === 0
      ? found
      : [...found, { name: 'a second factor is accepted once', count: length, problems: this.#problems.slice(0, 10) }];
  }

  async #round(round) {
    const chance = this.trial.chanceOf(round);
    const challenge = await this.guessed.challenge();
    const begun = await Promise.all(this.users.map((user) => this.#proofs(user)));
    const proofs = begun.flat();
    const sent = [this.#guess(challenge), ...proofs.map((proof) => this.#send(proof, COPIES.beforeKill))];
    await pause(chance.between(5, 800));
    await this.product.kill();
    await Promise.all(sent);
    // The codes are still valid at the next time step.
    this.#shift += STEP_MILLIS;
    process.env.FAULTS_SHIFT = String(this.#shift);
    const found = await this.trial.start();
    if (found.length > 0) return found;
    const old = this.users.flatMap((user) => user.proofs.slice(0, -4));
    const again = old.length === 0 ? [] : Array.from({ length: OLD_ONES }, () => chance.pick(old));
    await Promise.all([
      this.#guess(challenge),
      ...proofs.map((proof) => this.#send(proof, COPIES.afterKill)),
      ...again.map((proof) => this.#one(proof, proof.requests[0])),
    ]);
    this.#compare();
    return [];
  }

  /** The four proofs of a user in this round. The first is sent alone. */
  async #proofs(user) {
    const begin = await user.passkeySignIn();
    const { status, body } = await this.#one(begin, begin.requests[0]);
    // The user has to wait, because too many replays were sent.
    if (status !== 200) return [begin];
    if (user.codes.length === 0) await user.newCodes(body.access_token);
    const { proof, other } = await user.totp(this.#now(), body.access_token);
    return [begin, proof, await user.recovery(other), await user.passkeyStep()];
  }

  /** Sends copies of a proof by its first route, and one by each other route. Those of other routes count as wrong codes if they are replays. */
  #send(proof, copies) {
    const [first, ...others] = proof.requests;
    return Promise.all([...Array.from({ length: copies }, () => first), ...others].map((door) => this.#one(proof, door)));
  }

  async #one(proof, { path, body, token }) {
    const answer = await proof.user.ask('POST', path, body, token);
    const [status, code] = [answer.status, answer.body?.code];
    if (status === 200 || status === 204) proof.answers.push('accepted');
    else if (status === null) proof.answers.push('unanswered');
    else if (status === 401 && refusals.has(code)) proof.answers.push('refused');
    else if (status === 429 && code === 'too_many_attempts') proof.answers.push('limited');
    // With many concurrent changes of one stream, some are refused without an effect.
    else if (status === 503 && code === 'stream_busy') proof.answers.push('busy');
    else this.#problems.push(`${proof.kind} of ${proof.user.email}: ${path} answered ${status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** Sends concurrent wrong codes. While the user has to wait, the right code must not be recognised either. */
  async #guess(challenge_token) {
    const step = stepAt(this.#now());
    const right = new Set([-2, -1, 0, 1, 2, 3].map((more) => this.guessed.codeOf(step + more)));
    const wrong = Array.from({ length: GUESSES * 2 }, (_, index) => String(index * 7919).padStart(6, '0')).filter(
      (code) => !right.has(code),
    );
    const ask = async (code) => {
      const { status, body } = await this.guessed.ask('POST', '/auth/second-factor', { challenge_token, code });
      if (status !== null) this.#figures.guesses++;
      if (status === 200) this.#problems.push(`the guess ${code} was accepted`);
      return { status, code: body?.code };
    };
    const answers = await Promise.all(wrong.slice(0, GUESSES).map(ask));
    if (!answers.some(({ status }) => status === 429)) return;
    const { status, code } = await ask(this.guessed.codeOf(step + 1));
    if (status !== null && code !== 'too_many_attempts')
      this.#problems.push(`while the user had to wait, the right code was answered with ${status} ${code}`);
  }

  /** Compares all answers of this round and earlier ones with the log. */
  #compare() {
    const evidence = new Evidence(this.product.data);
    try {
      for (const user of this.users) {
        const stream = evidence.stream('identity', `factors-${user.userId}`).flatMap(({ events }) => events.map(({ event }) => event));
        this.#compareUses(
          user,
          Map.groupBy(stream.flatMap(markOfUse), (mark) => mark),
          (code) => hashOf(evidence, user, code),
        );
        const challenges = stream.flatMap(({ challenge }) => challenge?.id ?? []);
        if (new Set(challenges).size !== challenges.length) this.#problems.push(`a challenge of ${user.email} was answered twice`);
        user.proofs.splice(0, Math.max(0, user.proofs.length - 4 * ROUNDS_REMEMBERED)).forEach((proof) => this.#add(proof));
      }
      this.#compareSessions(evidence);
      this.#compareGuesses(evidence);
    } finally {
      evidence.close();
    }
  }

  #compareUses({ email, proofs }, uses, hash) {
    for (const proof of proofs) {
      const used = uses.get(proof.kind === 'recovery code' ? hash(proof.mark) : proof.mark)?.length ?? 0;
      const accepted = proof.answers.filter((answer) => answer === 'accepted').length;
      proof.uses = used;
      if (accepted > 1 || used > 1) this.#problems.push(`${proof.kind} of ${email}: ${accepted} times accepted, ${used} times in the log`);
      if (accepted > used) this.#problems.push(`${proof.kind} of ${email}: it was accepted, and is not in the log`);
    }
  }

  /** Each session that began with a second factor needs its own use of a factor. */
  #compareSessions(evidence) {
    const events = evidence.events('identity').map(({ event, commit }) => ({ ...event, stream: commit.stream }));
    const begun = Map.groupBy(
      events.filter(({ type, provedAt }) => type === 'SessionStarted' && provedAt !== undefined),
      ({ userId }) => userId,
    );
    for (const { userId, email } of this.users) {
      const uses = events.filter(({ stream, challenge }) => stream === `factors-${userId}` && challenge).length;
      const sessions = begun.get(userId)?.length ?? 0;
      if (sessions > uses) this.#problems.push(`${email} has ${sessions} sessions with a second factor, which was proved ${uses} times`);
    }
  }

  #compareGuesses(evidence) {
    const commits = evidence.stream('identity', `factors-${this.guessed.userId}`);
    const times = commits.flatMap(({ events }) => events.flatMap(({ event }) => (event.type === 'SecondFactorFailed' ? event.at : [])));
    this.#figures.judged = times.length;
    for (const [index, at] of times.entries()) {
      if (index < FREE_GUESSES) continue;
      const wait = Math.min(FIRST_WAIT_MILLIS * 2 ** (index - FREE_GUESSES), LONGEST_WAIT_MILLIS);
      if (at - times[index - 1] < wait)
        this.#problems.push(`guess ${index + 1} was checked ${at - times[index - 1]} ms after the one before, not ${wait}`);
    }
  }

  /** Much later, when no user has to wait, every user signs in. */
  async #everyUserSignsIn() {
    await this.product.kill();
    this.#shift += 2 * LONGEST_WAIT_MILLIS;
    process.env.FAULTS_SHIFT = String(this.#shift);
    this.#problems.push(...(await this.trial.start()).flatMap(({ problems }) => problems));
    for (const user of [...this.users, this.guessed]) {
      const code = user.codeOf(stepAt(this.#now()));
      const { status, body } = await user.ask('POST', '/auth/second-factor', { challenge_token: await user.challenge(), code });
      if (status !== 200)
        this.#problems.push(`at the end the sign-in of ${user.email} was answered with ${status} ${JSON.stringify(body)}`);
    }
  }

  #count() {
    for (const { proofs } of this.users ?? []) proofs.forEach((proof) => this.#add(proof));
  }

  /** A refusal counts as a replay's if the proof was accepted according to the log. */
  #add({ answers, uses = 0 }) {
    const of = (wanted) => answers.filter((answer) => answer === wanted).length;
    for (const answer of ['unanswered', 'busy']) this.#figures[answer] += of(answer);
    this.#figures.acceptedAgain += Math.max(of('accepted'), uses, 1) - 1;
    if (uses === 0) return;
    this.#figures.accepted++;
    this.#figures.replays += of('refused');
    this.#figures.limited += of('limited');
  }
}

/** Identifies the proof in an event of its use. */
function markOfUse({ type, step, hash, challenge }) {
  if (type === 'TotpUsed') return step;
  if (type === 'RecoveryCodeUsed') return hash;
  return type === 'PasskeyUsed' ? challenge.id : [];
}

// Independent of the product's own function.
const hashOf = (evidence, { userId }, code) =>
  createHmac('sha256', evidence.key('recovery-codes'))
    .update(`${userId}\0${code.replaceAll('-', '')}`)
    .digest('hex');
