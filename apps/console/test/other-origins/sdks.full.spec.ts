import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { chatWorld } from '../chat-world.ts';
import { atEnd } from '../console-world.ts';
import type { Called, Calls } from './page-of-sdks.ts';

declare const calls: Calls;
declare const progressed: (progress: unknown) => void;

/** A page of another origin that contains the bundled SDKs. */
async function pageOfSdks(): Promise<string> {
  const entry = fileURLToPath(new URL('./page-of-sdks.ts', import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, rolldownOptions: { input: entry } },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const chunk = output.find(({ fileName }) => fileName.endsWith('.js')) as Rolldown.OutputChunk;
  const server = createServer(({ url }, response) => {
    if (url === '/calls.js') return response.writeHead(200, { 'content-type': 'text/javascript' }).end(chunk.code);
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Shop</title><script type="module" src="/calls.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const origin = await pageOfSdks();
const world = await chatWorld({ PARLANCE_CONSOLE_ORIGINS: origin });

describe('a page of another origin that calls a published bot', () => {
  let page: Page;
  let called: Called;

  /** A bot with a quota, published for the page. */
  async function published(allowed: string, limit: number): Promise<Called> {
    const { bots } = world.parlance;
    const { id } = await bots.create({ title: 'Shop' });
    await bots.share(id, { target_shared_scope: 'all' });
    const { endpoint } = await bots.publish(id, { allowed_origins: [allowed], quota: { limit, period: 'MONTH' } });
    return { endpoint: endpoint!, key: (await bots.createKey(id, { description: 'Shop' })).value };
  }

  beforeAll(async () => {
    called = await published(origin, 100);
    ({ page } = await world.open());
    await page.goto(origin);
    await page.waitForFunction(() => 'calls' in globalThis);
    world.provider.finish('It is.');
  });

  it('gets an answer with the SDK of OpenAI, and reads its limits', async () => {
    const { text, headers } = await page.evaluate((its) => calls.answer(its), called);
    expect(text).toBe('It is.');
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^\w{20,}$/),
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '99',
      'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
    });
  });

  it('calls a model with the SDK of OpenAI if its origin may call the API, and reads its limits', async () => {
    const { token } = await world.parlance.api.post('/user/me/tokens', {
      body: { description: 'Page', scopes: ['models'], requests_per_minute: 100 },
    });
    const { text, headers } = await page.evaluate((its) => calls.model(its), { endpoint: world.product.url, key: token! });
    expect([text, headers]).toEqual(['It is.', { 'x-parlance-model': 'scripted', 'x-ratelimit-remaining-requests': '99' }]);
  });

  it('reads a stream with the SDK of OpenAI', async () => {
    expect((await page.evaluate((its) => calls.stream(its), called)).join('')).toBe('It is.');
  });

  it('reads the reason for a refusal, and when to retry', async () => {
    const limited = await published(new URL(page.url()).origin, 1);
    await page.evaluate((its) => calls.answer(its), limited);
    const refused = await page.evaluate((its) => calls.refusal(its), limited);
    expect(refused).toMatchObject({
      status: 429,
      code: 'quota_exceeded',
      requestId: refused.headers['x-request-id'],
      headers: {
        'x-request-id': expect.stringMatching(/^\w{20,}$/),
        'retry-after': expect.stringMatching(/^\d+$/),
        'x-ratelimit-limit': '1',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
      },
    });
  });

  it('may send the headers of the SDK of Anthropic', async () => {
    expect(await page.evaluate((its) => calls.withHeadersOfAnthropic(its), called)).toBe(200);
  });

  it('calls a tool with the SDK of the Model Context Protocol, and gets its progress', async () => {
    world.provider.goOn();
    const heard: unknown[] = [];
    await page.exposeFunction('progressed', (progress: unknown) => {
      heard.push(progress);
      world.provider.finish('It is.');
    });
    const { server, structuredContent } = await page.evaluate((its) => calls.tool(its, (progress) => progressed(progress)), called);
    expect([server, heard[0], structuredContent]).toEqual([
      'Shop',
      { progress: 1, message: 'The bot is writing.' },
      expect.objectContaining({ answer: 'It is.' }),
    ]);
  });

  it('gets nothing if its origin is not allowed', async () => {
    const other = await published('https://other.example', 100);
    await expect(page.evaluate((its) => calls.withHeadersOfAnthropic(its), other)).rejects.toThrow('Failed to fetch');
  });
});
