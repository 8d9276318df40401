import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import request from 'supertest';
import { identity } from '../../src/service.ts';
import { Browser, publicBaseUrl } from './oidc-browser.ts';

export const password = 'correct horse battery';
const adminEmail = 'first@example.org';

export interface OidcRig extends ServiceUnderTest {
  browser(who: string | null, accept?: string): Browser;
  /** Sends a request as the first Admin, whose ID is `adminId`. */
  asAdmin(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object): request.Test;
  post(path: string, body: object): request.Test;
  readonly adminId: string;
}

/** Identity alone, with these providers. */
export async function openRig(oidcProviders: object, settings: Readonly<Record<string, string>> = {}): Promise<OidcRig> {
  const rig = await serviceUnderTest(identity, {
    PARLANCE_PUBLIC_BASE_URL: publicBaseUrl,
    PARLANCE_ADMIN_EMAIL: adminEmail,
    PARLANCE_ADMIN_PASSWORD: password,
    PARLANCE_OIDC_PROVIDERS: JSON.stringify(oidcProviders),
    ...settings,
  });
  const post = (path: string, body: object) => request(rig.server).post(path).send(body);
  const { user } = (await post('/auth/sign-in', { email: adminEmail, password })).body;
  return {
    ...rig,
    adminId: user.user_id,
    post,
    browser: (who, accept) => new Browser(rig.server, who, accept),
    asAdmin(method, path, body) {
      const pending = request(rig.server)[method](path).set(rig.as(user.user_id, 'Admin'));
      return body ? pending.send(body) : pending;
    },
  };
}

/** The claims of an access token. The signature is not checked here: the edge does that. */
export const claimsIn = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
