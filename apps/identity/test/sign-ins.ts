import { jest } from '@jest/globals';
import { claimsOf, type IdentityUnderTest, identityUnderTest, password } from './people.ts';

/** Identity with users who sign up and sign in. */
export class SignIns {
  private constructor(readonly identity: IdentityUnderTest) {}

  static async start(): Promise<SignIns> {
    return new SignIns(await identityUnderTest({ PARLANCE_ALLOWED_SIGN_UP_EMAIL_DOMAINS: 'example.org' }));
  }

  readonly post = (path: string, body: object, who: Parameters<IdentityUnderTest['ask']>[2] = null) =>
    this.identity.ask('post', path, who, body);
  readonly signUp = async (email: string) => {
    const { body } = await this.post('/auth/sign-up', { email, password, first_name: 'Ann', last_name: 'Archer' });
    return body.user_id as string;
  };
  readonly signIn = async (email: string, chosen = password) => (await this.post('/auth/sign-in', { email, password: chosen })).body;
}

/** The user of an access token, in its session. */
export const actingIn = (token: string) => ({ userId: claimsOf(token).sub, groups: [], sessionId: claimsOf(token).sid });

const { now } = Date;
/** Moves the clock forward until mocks are restored. */
export const later = (millis: number) => jest.spyOn(Date, 'now').mockImplementation(() => now() + millis);
