import { Parlance } from '@parlance/client';

/** The offline model, with prices that are visible in the figures: per million tokens, 0.5 dollars for input and 2 dollars for output. */
const models = {
  // Nothing listens at the address of the second one.
  providers: { local: { type: 'local' }, away: { type: 'openai_compatible', base_url: 'http://127.0.0.1:1/v1' } },
  models: [
    {
      id: 'local-extractive',
      provider: 'local',
      model: 'local-extractive',
      prices: [{ from: '2026-01-01T00:00:00Z', input: 0.5, output: 2 }],
    },
    { id: 'away', provider: 'away', model: 'away' },
  ],
  routes: [{ id: 'any-model', strategy: 'cheapest', targets: [{ model: 'away' }, { model: 'local-extractive' }] }],
  defaults: { chat: 'local-extractive' },
};

export const admin = { email: 'admin@parlance.local', password: 'correct horse battery' };

export const environment = {
  PARLANCE_ADMIN_EMAIL: admin.email,
  PARLANCE_ADMIN_PASSWORD: admin.password,
  PARLANCE_MODELS: JSON.stringify(models),
  // The specs count their own bots.
  PARLANCE_GUIDE_BOT: 'false',
  // The web site of the story is on this machine.
  PARLANCE_FETCH_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
  // All requests of the story come from one address.
  PARLANCE_AUTH_REQUESTS_PER_MINUTE: '0',
  PARLANCE_REQUESTS_PER_MINUTE: '0',
  PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '0',
};

/** Creates a user for one spec file. The address is `name` at example.org. */
export async function makeUser(url: string, name: string, ...groups: string[]) {
  const account = { email: `${name}@example.org`, password: 'correct horse battery' };
  const root = new Parlance({ baseUrl: url, accessToken: await tokenOf(url, admin) });
  const { user_id: id } = await root.admin.createUser({ ...account, first_name: 'Ann', last_name: 'Archer', groups });
  return { ...account, id, token: await tokenOf(url, account) };
}

/** Signs in and returns the access token. */
export async function tokenOf(url: string, { email, password }: typeof admin): Promise<string> {
  let token = '';
  await new Parlance({ baseUrl: url, onTokens: (tokens) => (token = tokens?.accessToken ?? '') }).signIn(email, password);
  return token;
}
