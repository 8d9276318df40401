import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { type ChatWorld, chatWorld } from '../chat-world.ts';
import { connectingInnerFrame, type Elsewhere, elsewhere, loadingElements, tryingScript } from './elsewhere.ts';

/** No event says that a request was not made. */
const SETTLED_MS = 1_000;

describe('a malicious page that a model wrote', () => {
  let world: ChatWorld;
  let there: Elsewhere;
  beforeAll(async () => {
    world = await chatWorld();
    there = await elsewhere();
  });

  /** A chat whose reply has these pages. */
  const opened = async (...pages: string[]) => {
    world.provider.finish(pages.map((html) => `\`\`\`html\n${html}\n\`\`\``).join('\n\n'));
    const { conversations } = world.parlance;
    const { conversation_id } = await conversations.ask({ message: { content: [{ content_type: 'text', body: 'A question' }] } });
    const { page } = await world.openSignedIn();
    await page.goto(`/app/c/${conversation_id}`);
    await showButton(page).last().waitFor();
    there.forget();
    return page;
  };
  const showButton = (page: Page) => page.getByRole('button', { name: 'Show beside the chat' });
  const panel = (page: Page) => page.getByRole('region', { name: 'Web page' });

  it('would reach its server without the frame', async () => {
    there.serve(`<!doctype html>${loadingElements(there)}${connectingInnerFrame(there)}`);
    const { page } = await world.open();
    await page.goto(there.origin);
    const loaded =
      'image stylesheet import font background script module video poster audio object embed frame inner-image inner-fetch svg-image prefetch preload';
    const expected = [...loaded.split(' ').map((path) => `/${path}`), 'a packet'];
    await waitFor(() => expected.every((each) => there.reached.includes(each)));
    await page.context().close();
  });

  it('loads and sends nothing, and has no access to the console, to storage or to other windows', async () => {
    const page = await opened(`<!doctype html>${loadingElements(there)}${tryingScript(there)}`);
    const address = page.url();
    await showButton(page).click();
    const output = panel(page).frameLocator('iframe').locator('output', { hasText: '{' });
    const results = JSON.parse(await output.innerText()) as Readonly<Record<string, string>>;
    expect(Object.entries(results).filter(([, result]) => result !== 'refused')).toEqual([]);
    expect(Object.keys(results)).toHaveLength(17);
    expect(there.reached).toEqual([]);
    expect([page.url(), page.context().pages().length]).toEqual([address, 1]);
    await panel(page).waitFor();
  });

  // Chromium 153 may end the process of the page when an inner frame tries.
  it('sends nothing by WebRTC from an inner frame', async () => {
    const page = await opened(connectingInnerFrame(there));
    await showButton(page).click();
    await setTimeout(SETTLED_MS);
    expect(there.reached).toEqual([]);
  });

  it('cannot navigate its frame, or an inner one, to another site', async () => {
    const to = `${there.origin}/navigation`;
    const data = `data:text/html,<img src=${to}><script>fetch('${to}')<\\/script>`;
    const pages = [
      `<script>location = '${to}'</script>`,
      `<script>open('${to}', '_self')</script>`,
      `<meta http-equiv="refresh" content="0;url=${to}">`,
      `<a href="${to}">Go</a><script>document.querySelector('a').click()</script>`,
      `<a href="${to}" download="file.txt">Go</a><script>document.querySelector('a').click()</script>`,
      `<a href="#" ping="${to}">Go</a><script>document.querySelector('a').click()</script>`,
      `<form action="${to}"></form><script>document.querySelector('form').submit()</script>`,
      `<form action="${to}" method="post"><button></button></form><script>document.querySelector('button').click()</script>`,
      `<iframe srcdoc="<script>location = '${to}'</script>"></iframe>`,
      `<script>location = \`${data}\`</script>`,
      `<script>location = URL.createObjectURL(new Blob(['<img src=${to}>'], { type: 'text/html' }))</script>`,
      `<script>onpagehide = () => navigator.sendBeacon('${to}'); location.reload()</script>`,
    ];
    const page = await opened(...pages);
    const address = page.url();
    for (const index of pages.keys()) {
      await showButton(page).nth(index).click();
      await panel(page).locator('iframe').waitFor();
      await setTimeout(SETTLED_MS);
      expect([pages[index], there.reached]).toEqual([pages[index], []]);
      await panel(page).getByRole('button', { name: 'Close' }).click();
    }
    expect([page.url(), page.context().pages().length]).toEqual([address, 1]);
  });
});
