// A user with an authenticator app, a passkey and recovery codes. Each proof is recorded with all answers to it.
import { createHmac } from 'node:crypto';
import { Authenticator } from './authenticator.mjs';

/** One time step of an authenticator app. */
export const STEP_MILLIS = 30_000;
const PASSWORD = 'correct horse battery';

export class FactorUser {
  /** Oldest first. */
  proofs = [];
  codes = [];

  constructor(product, { email, origin, counts, agent }) {
    Object.assign(this, { product, email, agent, authenticator: new Authenticator(origin, { counts }) });
  }

  ask(method, path, body, token) {
    return this.product.ask(method, path, body, { signedIn: false, token, agent: this.agent });
  }

  async #good(method, path, body, token) {
    const answer = await this.ask(method, path, body, token);
    if (answer.status === null || answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body ?? answer.why)}`);
    return answer.body;
  }

  async enrol(now) {
    await this.#good('POST', '/auth/sign-up', { email: this.email, password: PASSWORD, first_name: 'Ann', last_name: 'Holder' });
    const { access_token: token, user } = await this.#signedIn();
    this.userId = user.user_id;
    const { secret } = await this.#good('POST', '/user/me/factors/totp', { current_password: PASSWORD }, token);
    this.#secret = base32(secret);
    // The code of the previous step, so that the current one stays unused.
    const code = this.codeOf(stepAt(now) - 1);
    this.codes = (await this.#good('POST', '/user/me/factors/totp/confirm', { code }, token)).recovery_codes;
    const { options } = await this.#good('POST', '/user/me/factors/passkeys', {}, token);
    const credential = this.authenticator.create(options);
    await this.#good('POST', '/user/me/factors/passkeys/confirm', { name: 'Key', credential }, token);
  }

  #secret;

  #signedIn() {
    return this.#good('POST', '/auth/sign-in', { email: this.email, password: PASSWORD });
  }

  /** A challenge token for the second step. */
  async challenge() {
    return (await this.#signedIn()).challenge_token;
  }

  codeOf(step) {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(step));
    const hash = createHmac('sha1', this.#secret).update(counter).digest();
    const number = hash.readUInt32BE(hash.at(-1) & 0xf) & 0x7fffffff;
    return String(number % 1_000_000).padStart(6, '0');
  }

  /** Records a proof with the requests that can send it, each any number of times. */
  note(kind, mark, requests) {
    const proof = { kind, mark, requests, user: this, answers: [] };
    this.proofs.push(proof);
    return proof;
  }

  /** A sign-in with only the passkey. */
  async passkeySignIn() {
    const { challenge_token, options } = await this.#good('POST', '/auth/passkeys/options', {});
    const body = { challenge_token, passkey: this.authenticator.get(options) };
    return this.note('passkey alone', options.challenge, [{ path: '/auth/passkeys', body }]);
  }

  /** Uses the next step's code: it is accepted already, and still after a restart with the clock one step ahead. */
  async totp(now, token) {
    const step = stepAt(now) + 1;
    const code = this.codeOf(step);
    const [one, other] = [await this.challenge(), await this.challenge()];
    const requests = [secondStep(one, { code }), secondStep(other, { code }), { path: '/user/me/step-up', body: { code }, token }];
    return { proof: this.note('totp', step, requests), other };
  }

  async recovery(other) {
    const recovery_code = this.codes.pop();
    const requests = [secondStep(await this.challenge(), { recovery_code }), secondStep(other, { recovery_code })];
    return this.note('recovery code', recovery_code, requests);
  }

  async passkeyStep() {
    const challenge_token = await this.challenge();
    const { options } = await this.#good('POST', '/auth/second-factor/passkey-options', { challenge_token });
    return this.note('passkey', options.challenge, [secondStep(challenge_token, { passkey: this.authenticator.get(options) })]);
  }

  /** Creates new recovery codes with a session that has just proved a factor. */
  async newCodes(token) {
    this.codes = (await this.#good('POST', '/user/me/factors/recovery-codes', {}, token)).recovery_codes;
  }
}

const secondStep = (challenge_token, proof) => ({ path: '/auth/second-factor', body: { challenge_token, ...proof } });
export const stepAt = (now) => Math.floor(now / STEP_MILLIS);

/** RFC 4648. */
function base32(text) {
  const bits = [...text].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
