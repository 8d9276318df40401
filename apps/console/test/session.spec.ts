import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ConsoleWorld, consoleWorld, expectAccessible, person, signIn } from './console-world.ts';

let world: ConsoleWorld;
beforeAll(async () => void (world = await consoleWorld()));

describe('a session of the console', () => {
  it('begins on the requested page, and survives a reload', async () => {
    const { page, reported } = await world.open();
    await page.goto('/app/bots');
    await page.waitForURL(/\/app\/sign-in/);
    await expectAccessible(page);
    await signIn(page, world.admin);
    await page.waitForURL(/\/app\/bots$/);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor();
    expect(reported).toEqual([]);
  });

  it('stores no token that a script could read later', async () => {
    const { page } = await world.openSignedIn();
    const kept = await page.evaluate<string>(`[...Object.values(localStorage), ...Object.values(sessionStorage), document.cookie].join()`);
    const [cookie] = await page.context().cookies(`${world.product.url}/auth`);
    expect(kept).not.toMatch(/eyJ|prt_/);
    expect(kept).not.toContain(cookie!.value);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/auth' });
  });

  it('ends in all tabs of the browser', async () => {
    const { page } = await world.openSignedIn();
    const other = await page.context().newPage();
    await other.goto('/app/store');
    await other.getByRole('navigation', { name: 'Menu' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/sign-in/);
    await other.waitForURL(/sign-in/);
    // The next user must not start on this user's page.
    expect([page.url(), other.url()]).toEqual(Array.from({ length: 2 }, () => `${world.product.url}/app/sign-in`));
  });

  it('continues in a tab when the session of another user ends in another tab', async () => {
    const { page } = await world.openSignedIn();
    const bea = await person(world, 'bea');
    const other = await page.context().newPage();
    await other.goto('/app/sign-in');
    await signIn(other, bea);
    for await (const { session_id, current } of world.parlance.api.list('/auth/sessions'))
      if (!current) await world.parlance.api.delete('/auth/sessions/{sessionId}', { path: { sessionId: session_id } });
    // A request of the page itself may be the first that is refused. Then the link is gone.
    const click = page.getByRole('link', { name: 'Store', exact: true }).click();
    await Promise.race([click.catch(() => undefined), page.waitForURL(/sign-in/)]);
    await page.waitForURL(/sign-in/);
    await other.getByRole('link', { name: 'Store', exact: true }).click();
    await other.waitForURL(/app\/store$/);
    await other.getByRole('link', { name: 'Account' }).click();
    await other.getByText(bea.email).waitFor();
  });

  it('ends when it was ended elsewhere', async () => {
    const { page } = await world.openSignedIn();
    await page.goto('/app/store');
    await page.getByRole('navigation', { name: 'Menu' }).waitFor();
    for await (const { session_id, current } of world.parlance.api.list('/auth/sessions'))
      if (!current) await world.parlance.api.delete('/auth/sessions/{sessionId}', { path: { sessionId: session_id } });
    await page.reload();
    await page.waitForURL(/sign-in\?next=/);
  });

  it('ends elsewhere while a message is sent: the sign-in says so, and the message is kept', async () => {
    const { page } = await world.openSignedIn();
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill('Not sent yet.');
    await page.waitForLoadState('networkidle');
    for await (const { session_id, current } of world.parlance.api.list('/auth/sessions'))
      if (!current) await world.parlance.api.delete('/auth/sessions/{sessionId}', { path: { sessionId: session_id } });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Your session has ended. Sign in to continue. Messages that were not sent are kept.').waitFor();
    await expectAccessible(page);
    await signIn(page, world.admin);
    await page.getByRole('textbox', { name: 'Message' }).and(page.getByText('Not sent yet.')).waitFor();
  });

  it('keeps unsaved changes when it ends, which are saved after a sign-in in another tab', async () => {
    const { id } = await world.parlance.bots.create({ title: 'Edited' });
    const { page } = await world.openSignedIn();
    await page.goto(`/app/bots/${id}/edit`);
    await page.getByRole('textbox', { name: 'Instruction' }).fill('The work of an hour.');
    // A refused request of the page would open the sign-in before the changes are saved.
    await page.waitForLoadState('networkidle');
    for await (const { session_id, current } of world.parlance.api.list('/auth/sessions'))
      if (!current) await world.parlance.api.delete('/auth/sessions/{sessionId}', { path: { sessionId: session_id } });
    const save = page.getByRole('button', { name: 'Save changes' });
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const other = await page.context().newPage();
    await other.goto('/app/sign-in');
    await signIn(other, world.admin);
    await save.click();
    await page.getByText('Changes saved.').waitFor();
    expect((await world.parlance.bots.getPrivate(id)).instruction).toBe('The work of an hour.');
    await page.getByRole('link', { name: 'Store', exact: true }).click();
    await page.waitForURL(/app\/store$/);
  });

  it('asks about unsaved changes before a sign-out, which then leaves all pages of the user', async () => {
    const { id } = await world.parlance.bots.create({ title: 'Edited and left' });
    const { page } = await world.openSignedIn();
    const other = await page.context().newPage();
    for (const each of [page, other]) {
      await each.goto(`/app/bots/${id}/edit`);
      await each.getByRole('textbox', { name: 'Instruction' }).fill('Not saved.');
    }
    const signOut = page.getByRole('button', { name: 'Sign out' });
    const dialog = page.getByRole('dialog', { name: 'Discard the changes?' });
    await signOut.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changes saved.').waitFor();
    await page.getByRole('textbox', { name: 'Instruction' }).fill('Not saved either.');
    await signOut.click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    for (const each of [page, other]) {
      await each.waitForURL(/app\/sign-in$/);
      await each.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    }
  });

  it('explains a refused sign-in with an identity provider, and remembers the requested page', async () => {
    const { page } = await world.open();
    await page.goto('/app/bots');
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.getByText('The identity provider is not responding. Wait a minute, and try again.').waitFor();
    await expectAccessible(page);
    await signIn(page, world.admin);
    await page.waitForURL(/\/app\/bots$/);
  });

  it('shows no text of an address as the reason of a refusal', async () => {
    const { page } = await world.open();
    await page.goto('/app/sign-in?error=call_this_number');
    await page.getByText(/give an administrator the code call_this_number/).waitFor();
    await page.goto('/app/sign-in?error=Call%20this%20number');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  // A browser would navigate to each if it were taken for a page.
  it.each(['https://elsewhere.invalid/', '//elsewhere.invalid/', String.raw`/\elsewhere.invalid/`, 'javascript:alert(1)'])(
    'begins at the first page for a link to %s',
    async (next) => {
      const { page, reported } = await world.open();
      const outside: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(world.product.url)) outside.push(request.url());
      });
      await page.goto(`/app/sign-in?${new URLSearchParams({ next })}`);
      await signIn(page, world.admin);
      await page.waitForURL(/\/app\/$/);
      // The page to which a sign-in with a provider returns.
      await page.goto(`/app/sign-in/done?${new URLSearchParams({ next })}`);
      await page.waitForURL(/\/app\/$/);
      expect([outside, reported]).toEqual([[], []]);
    },
  );

  it('refuses a wrong password with the server’s message', async () => {
    const { page } = await world.open();
    await page.goto('/app/sign-in');
    await page.getByLabel('E-mail').fill(world.admin.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
  });
});
