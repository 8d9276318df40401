import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Asking, claimsOf, identityUnderTest, type IdentityUnderTest, password } from '../people.ts';
import { type Deviation, origin, SoftwareAuthenticator } from './software-authenticator.ts';

export interface Person extends Asking {
  readonly email: string;
}

/** Identity with users who have passkeys. */
export class PasskeyWorld {
  #people = 0;

  private constructor(readonly identity: IdentityUnderTest) {}

  static async start(): Promise<PasskeyWorld> {
    const identity = await identityUnderTest({
      PARLANCE_PUBLIC_BASE_URL: origin,
      PARLANCE_CONSOLE_ORIGINS: 'https://console.parlance.example.org',
      PARLANCE_REQUIRE_SECOND_FACTOR_FOR: 'Guarded',
    });
    await identity.ask('post', '/admin/groups', identity.admin, { name: 'Guarded' });
    return new PasskeyWorld(identity);
  }

  signIn(email: string) {
    return this.identity.ask('post', '/auth/sign-in', null, { email, password });
  }

  async person(groups: readonly string[] = []): Promise<Person> {
    const email = `person${++this.#people}@example.org`;
    const user = { email, password, first_name: 'P', last_name: 'Q', groups };
    const made = await this.identity.ask('post', '/admin/users', this.identity.admin, user);
    const { body } = await this.signIn(email);
    return { email, userId: made.body.user_id, groups, sessionId: claimsOf(body.access_token).sid };
  }

  async offer(user: Asking) {
    return (await this.identity.ask('post', '/user/me/factors/passkeys', user, { current_password: password })).body;
  }

  confirm(user: Asking, credential: object, name = 'Laptop') {
    return this.identity.ask('post', '/user/me/factors/passkeys/confirm', user, { name, credential });
  }

  async enrolled(groups: readonly string[] = [], counts = false) {
    const user = await this.person(groups);
    const authenticator = new SoftwareAuthenticator(counts);
    const { body } = await this.confirm(user, authenticator.create((await this.offer(user)).options));
    return { ...user, authenticator, factorId: body.factor_id as string, codes: body.recovery_codes as string[] };
  }

  /** All stored commits, oldest first. */
  commits(): string[] {
    const db = new DatabaseSync(join(this.identity.host.config.dataDir, 'identity.db'), { readOnly: true });
    const rows = db.prepare('SELECT * FROM commits ORDER BY position').all();
    db.close();
    return rows.map((row) => JSON.stringify(row));
  }

  /** The second step of a sign-in with a password. */
  async secondStep({ email, authenticator }: { email: string; authenticator: SoftwareAuthenticator }, over: Deviation = {}) {
    const { challenge_token } = (await this.signIn(email)).body;
    const { options } = (await this.identity.ask('post', '/auth/second-factor/passkey-options', null, { challenge_token })).body;
    const body = { challenge_token, passkey: authenticator.get(options, over) };
    return { body, send: () => this.identity.ask('post', '/auth/second-factor', null, body) };
  }

  /** A sign-in with the passkey alone. */
  async alone(authenticator: SoftwareAuthenticator, over: Deviation = {}) {
    const { challenge_token, options } = (await this.identity.ask('post', '/auth/passkeys/options', null)).body;
    const body = { challenge_token, passkey: authenticator.get(options, over) };
    return { body, send: () => this.identity.ask('post', '/auth/passkeys', null, body) };
  }
}

export const tampered: Deviation = {
  tamper: (signature) => Buffer.concat([signature.subarray(0, -1), Buffer.from([signature.at(-1)! ^ 1])]),
};
export const deviations: readonly [string, Deviation][] = [
  ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['another origin', { origin: 'https://parlance.example.com' }],
  ['an origin with another port', { origin: `${origin}:8443` }],
  ['another relying party', { rpId: 'example.org' }],
  ['no user present', { userPresent: false }],
];
