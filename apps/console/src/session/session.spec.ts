import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { User } from '@parlance/client/types';

let pages = 0;
const ORIGIN = 'http://chat.example.org';

/** The messages between the tabs of a browser. */
class Channel extends EventTarget {
  private static readonly open = new Set<Channel>();

  constructor() {
    super();
    Channel.open.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of Channel.open) if (other !== this) other.dispatchEvent(new MessageEvent('message', { data }));
  }
}

interface Request {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly isCookie: boolean;
}

let requests: Request[] = [];
let answers: Readonly<Record<string, () => Response>> = {};
const fetch = async (url: unknown, { headers = {} }: { headers?: Record<string, string> } = {}) => {
  const path = new URL(String(url)).pathname;
  requests.push({ path, authorization: headers['authorization'], isCookie: headers['x-parlance-session'] === 'cookie' });
  return answers[path]?.() ?? new Response(null, { status: 204 });
};

const signedIn = (access_token: string, password_change_required = false, user_id = 'ann') =>
  Response.json({ access_token, expires_in: 900, password_change_required, user: { user_id, groups: [] } });
const refused = (status: number) => () => Response.json({ code: 'refused', detail: 'No.' }, { status });
const paths = () => requests.map(({ path }) => path);

/** Loads the modules as a newly opened page does. */
async function openPage() {
  const page = `?fresh=${pages++}`;
  const modules = await Promise.all(
    ['begin-session', 'session-state', 'parlance', 'unsaved-changes', '../api/query-client'].map((name) => import(`./${name}.ts${page}`)),
  );
  return Object.assign({}, ...modules) as typeof import('./begin-session.ts') &
    typeof import('./session-state.ts') &
    typeof import('./parlance.ts') &
    typeof import('./unsaved-changes.ts') &
    typeof import('../api/query-client.ts');
}

beforeEach(() => {
  requests = [];
  answers = { '/auth/refresh': () => signedIn('fresh'), '/auth/sign-in': () => signedIn('new') };
  Object.assign(globalThis, { location: { origin: ORIGIN }, fetch, BroadcastChannel: Channel, localStorage: {} });
});
afterEach(() => void Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true }));

describe('a page that is opened', () => {
  it('continues the session of the cookie, with one exchange for all callers', async () => {
    const page = await openPage();
    expect(page.currentSession()).toBe('unknown');
    expect(await Promise.all([page.continueSession(), page.continueSession()])).toEqual([true, true]);
    expect(await page.continueSession()).toBe(true);
    expect(requests).toEqual([{ path: '/auth/refresh', authorization: undefined, isCookie: true }]);
  });
  it.each([400, 401])('is signed out if the cookie is refused with %d', async (status) => {
    answers = { '/auth/refresh': refused(status) };
    const page = await openPage();
    expect(await page.continueSession()).toBe(false);
    expect([page.currentSession(), page.wasSessionLeft()]).toEqual(['signed-out', false]);
  });
  it('retries later if the server does not answer', async () => {
    answers = { '/auth/refresh': refused(500) };
    const page = await openPage();
    await expect(page.continueSession()).rejects.toMatchObject({ status: 500 });
    expect(page.currentSession()).toBe('unknown');
    answers = { '/auth/refresh': () => signedIn('fresh') };
    expect(await page.continueSession()).toBe(true);
  });
  it('exchanges the cookie under the lock of all tabs, and sends nothing else under it', async () => {
    const locked: string[] = [];
    const request = (name: string, run: () => unknown) => {
      locked.push(name);
      return run();
    };
    Object.defineProperty(globalThis, 'navigator', { value: { locks: { request } }, configurable: true });
    const page = await openPage();
    await page.continueSession();
    answers = { '/user/me': () => Response.json({}) };
    await page.parlance.me();
    expect([locked, paths()]).toEqual([['parlance-refresh'], ['/auth/refresh', '/user/me']]);
  });
});

describe('signing in', () => {
  it('keeps the password in memory only while it must be changed', async () => {
    const page = await openPage();
    await page.signIn('ann@example.org', 'secret');
    expect([page.currentSession(), page.knownPassword()]).toEqual(['signed-in', null]);
    answers = { '/auth/sign-in': () => signedIn('first', true), '/auth/password': () => signedIn('second') };
    await page.signIn('ann@example.org', 'secret');
    expect([page.mustChangePassword(), page.knownPassword()]).toEqual([true, 'secret']);
    await page.changePassword('secret', 'another secret');
    expect([page.mustChangePassword(), page.knownPassword()]).toEqual([false, null]);
  });
  it('with a second factor starts no session before it is proved', async () => {
    const asking = () => Response.json({ second_factor_required: true, challenge_token: 'c1', methods: ['totp'] });
    answers = { '/auth/sign-in': asking, '/auth/second-factor': () => signedIn('first', true) };
    const page = await openPage();
    const step = await page.signIn('ann@example.org', 'secret');
    expect([step?.methods, page.currentSession(), page.knownPassword()]).toEqual([['totp'], 'unknown', null]);
    await step?.complete({ code: '123456' });
    expect([page.currentSession(), page.knownPassword()]).toEqual(['signed-in', 'secret']);
  });
  it('with only a passkey starts a session', async () => {
    answers = { '/auth/passkeys': () => signedIn('first') };
    const page = await openPage();
    const response = { authenticatorData: 'd', clientDataJSON: 'c', signature: 's' };
    await page.signInByPasskey('c1', { id: 'i', rawId: 'i', type: 'public-key', response });
    expect([page.currentSession(), page.knownPassword()]).toEqual(['signed-in', null]);
    expect(requests).toEqual([{ path: '/auth/passkeys', authorization: undefined, isCookie: true }]);
  });
  it('removes the cached data of another user', async () => {
    const page = await openPage();
    await page.signIn('ann@example.org', 'secret');
    page.queryClient.setQueryData(['me'], 'Ann');
    await page.signIn('ann@example.org', 'secret');
    expect(page.queryClient.getQueryData(['me'])).toBe('Ann');
    answers = { '/auth/sign-in': () => signedIn('new', false, 'ben') };
    await page.signIn('ben@example.org', 'secret');
    expect(page.queryClient.getQueryData(['me'])).toBeUndefined();
  });
  it('with the link of the first start starts a session for an account that has to change its password', async () => {
    answers = { '/auth/sign-in': () => signedIn('first', true) };
    const page = await openPage();
    expect(await page.firstSignIn('ann@example.org', 'secret')).toBe(true);
    expect([page.currentSession(), page.knownPassword()]).toEqual(['signed-in', 'secret']);
  });
  it('with the link of another account starts no session here, and leaves none on the server', async () => {
    const page = await openPage();
    expect(await page.firstSignIn('eve@example.org', 'secret')).toBe(false);
    expect([page.currentSession(), page.knownPassword()]).toEqual(['unknown', null]);
    expect(requests).toEqual([
      { path: '/auth/sign-in', authorization: undefined, isCookie: false },
      { path: '/auth/sign-out', authorization: 'Bearer new', isCookie: false },
    ]);
  });
});

/** A fake of the browser's storage, whose keys are its properties. */
function keep(kept: Record<string, string>): Record<string, string> {
  Object.defineProperty(kept, 'removeItem', { value: (key: string) => delete kept[key] });
  Object.assign(globalThis, { localStorage: kept });
  return kept;
}

describe('signing out', () => {
  it('ends the session in all tabs, and removes what was stored for users', async () => {
    const [page, other] = [await openPage(), await openPage()];
    await page.continueSession();
    await other.continueSession();
    let changes = 0;
    other.onSessionChange(() => changes++);
    const kept = keep({ 'parlance.drafts.ann': '{}', 'parlance.kept-chats.ben': '[]', 'parlance.theme': 'dark' });
    await page.signOut();
    expect([page, other].map(({ currentSession }) => currentSession())).toEqual(['signed-out', 'signed-out']);
    expect([changes, page.wasSessionLeft()]).toEqual([1, true]);
    expect(Object.keys(kept)).toEqual(['parlance.theme']);
  });
  it('asks first if unsaved changes would be lost', async () => {
    const page = await openPage();
    await page.continueSession();
    let mayLose = false;
    const stop = page.askBeforeSignOut(async () => mayLose);
    await page.signOut();
    expect([page.currentSession(), paths()]).toEqual(['signed-in', ['/auth/refresh']]);
    mayLose = true;
    await page.signOut();
    stop();
    expect([page.currentSession(), paths()]).toEqual(['signed-out', ['/auth/refresh', '/auth/sign-out']]);
  });
  it('also leaves pages that stayed open after the server ended the session', async () => {
    const [page, other] = [await openPage(), await openPage()];
    await page.continueSession();
    await other.continueSession();
    answers = { '/auth/refresh': refused(401), '/user/me': refused(401) };
    await expect(page.parlance.me()).rejects.toMatchObject({ status: 401 });
    const left: boolean[] = [];
    for (const { onSessionChange, wasSessionLeft } of [page, other]) onSessionChange(() => left.push(wasSessionLeft()));
    await page.signOut();
    expect(left).toEqual([true, true]);
  });
  it('keeps the page from the session of another user who signs in later', async () => {
    const page = await openPage();
    await page.continueSession();
    await page.signOut();
    answers = { '/auth/refresh': () => signedIn('other', false, 'ben'), '/user/me': () => Response.json({}) };
    await expect(page.parlance.me()).rejects.toMatchObject({ code: 'signed_out' });
    expect([page.currentSession(), paths().includes('/user/me')]).toEqual(['signed-out', false]);
  });
  it('ends nothing if the server cannot be reached', async () => {
    const [page, other] = [await openPage(), await openPage()];
    await page.continueSession();
    await other.continueSession();
    const kept = keep({ 'parlance.drafts.ann': '{}' });
    answers = { '/auth/sign-out': refused(500) };
    await expect(page.signOut()).rejects.toMatchObject({ status: 500 });
    expect([page, other].map(({ currentSession }) => currentSession())).toEqual(['signed-in', 'signed-in']);
    expect(Object.keys(kept)).toEqual(['parlance.drafts.ann']);
  });
  it('is followed by the page that was open, if the server has ended the session', async () => {
    const [page, other] = [await openPage(), await openPage()];
    await page.continueSession();
    await other.continueSession();
    answers = { '/auth/refresh': refused(401), '/user/me': refused(401) };
    await expect(page.parlance.me()).rejects.toMatchObject({ status: 401 });
    expect([page, other].map(({ currentSession }) => currentSession())).toEqual(['signed-out', 'signed-out']);
    expect([page, other].map(({ wasSessionLeft }) => wasSessionLeft())).toEqual([false, false]);
  });
  it('keeps what is stored for the user who signs in', async () => {
    const page = await openPage();
    const kept = keep({ 'parlance.drafts.ann': '{}', 'parlance.drafts.ben': '{}' });
    page.forgetUsers('ann');
    expect(Object.keys(kept)).toEqual(['parlance.drafts.ann']);
  });
});

describe('the rights of a user', () => {
  const user = (...groups: string[]) => ({ groups }) as User;

  it('come from the groups, and an Admin has all', async () => {
    const { isAdmin, mayCreateBots, mayPublish } = await import('./use-me.ts');
    const rights = (...groups: string[]) => [isAdmin, mayCreateBots, mayPublish].map((has) => has(user(...groups)));
    expect(rights()).toEqual([false, false, false]);
    expect(rights('Admin')).toEqual([true, true, true]);
    expect(rights('CreatingBotAllowed')).toEqual([false, true, false]);
    expect(rights('PublishAllowed')).toEqual([false, false, true]);
  });
});
