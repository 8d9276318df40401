import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { atEnd, type ConsoleWorld, consoleWorld, expectAccessible } from '../console-world.ts';

const CREATED = 'parlance.bots.bot-created.v1';

describe('the deliveries of a webhook', () => {
  const arrived: { readonly eventId: string; readonly body: string }[] = [];
  const botIds: string[] = [];
  /** The event IDs of these bots, once per arrival. A replay also includes events of other spec files. */
  const received = () => arrived.filter(({ body }) => botIds.some((id) => body.includes(id))).map(({ eventId }) => eventId);
  let server: Server;
  let world: ConsoleWorld;
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      arrived.push({ eventId: String(request.headers['webhook-id']), body: await text(request) });
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    world = await consoleWorld();
    const { api, bots } = world.parlance;
    const { port } = server.address() as AddressInfo;
    const { id } = await api.post('/admin/webhooks', { body: { url: `http://127.0.0.1:${port}/events`, event_types: [CREATED] } });
    atEnd(() => api.delete('/admin/webhooks/{webhookId}', { path: { webhookId: id } }));
    for (const title of ['One', 'Two']) botIds.push((await bots.create({ title })).id);
    await waitFor(() => received().length === 2);
    ({ page, reported } = await world.openSignedIn());
    await page.goto(`/app/admin/webhooks/${id}`);
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
  });

  it('are sent again, one by one', async () => {
    await page
      .getByRole('button', { name: `Send again: ${CREATED}` })
      .first()
      .click();
    await page.getByText('The event is being sent again.').waitFor();
    await waitFor(() => received().length === 3);
    expect(new Set(received()).size).toBe(2);
  });

  it('are replayed since a time', async () => {
    await page.getByRole('button', { name: 'Replay events' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay events' });
    await expectAccessible(page);
    await dialog.getByLabel('Since').fill('2026-01-01T00:00');
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('The events are being sent again.').waitFor();
    await waitFor(() => received().length === 5);
    expect(new Set(received().slice(3))).toEqual(new Set(received().slice(0, 2)));
  });

  it('are replayed only with a time', async () => {
    await page.getByRole('button', { name: 'Replay events' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay events' });
    await dialog.getByLabel('Since').fill('');
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
    await dialog.getByText('Enter a date and a time.').waitFor();
    expect(reported).toEqual([]);
  });
});
