import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parlance/testing';
import type { Page } from 'playwright-core';
import { ask, type ChatWorld, chatWorld, composerOf } from '../chat-world.ts';
import { expectAccessible, PHONE } from '../console-world.ts';

const COUNTER = `<!doctype html>
<title>Counter</title>
<button onclick="count()">0</button>
<img alt="A dot" src="data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=">
<script>
  const button = document.querySelector('button');
  function count() { button.textContent = Number(button.textContent) + STEP; }
</script>`;
const counterOf = (step: number) => `\`\`\`html\n${COUNTER.replace('STEP', String(step))}\n\`\`\``;

describe('a page that a model wrote', () => {
  let world: ChatWorld;
  let provider: ChatWorld['provider'];
  let page: Page;
  let reported: readonly string[];
  beforeAll(async () => {
    world = await chatWorld();
    ({ provider } = world);
    provider.goOn();
    ({ page, reported } = await world.openSignedIn());
  });

  const askFor = async (text: string) => {
    const { begun } = provider;
    await ask(page, text);
    await waitFor(() => provider.begun === begun + 1);
  };
  const showButton = () => page.getByRole('button', { name: 'Show beside the chat' });
  const panel = () => page.getByRole('region', { name: 'Counter' });
  const button = (name: string) => panel().getByRole('button', { name });
  const inFrame = () => panel().frameLocator('iframe');
  /** Presses the button of the page, and waits for its new text. */
  const count = async (text: string) => {
    await inFrame().getByRole('button').click();
    await inFrame().getByRole('button', { name: text, exact: true }).waitFor();
  };

  it('is shown beside the chat as code until it is complete, and then runs', async () => {
    await askFor('Make a counter');
    const [first, rest] = counterOf(1).split('<button') as [string, string];
    provider.say(`Here it is:\n\n${first}<button`);
    await showButton().click();
    await panel().and(page.locator(':focus')).waitFor();
    await panel().getByText('The preview appears when the code is complete.').waitFor();
    await panel().getByText('<title>Counter</title>').waitFor();
    expect(await panel().locator('iframe').count()).toBe(0);
    await expectAccessible(page);
    provider.end(`${rest}\n\nThat is all.`);
    await count('1');
    await count('2');
    expect(
      await inFrame()
        .getByRole('img')
        .evaluate((image) => (image as HTMLImageElement).naturalWidth),
    ).toBe(1);
    await expectAccessible(page, { isWithoutFrames: true });
  });

  it('keeps what was done in it while its code is shown', async () => {
    await panel().getByRole('tab', { name: 'Code' }).click();
    await panel().getByText('<title>Counter</title>').waitFor();
    await page.keyboard.press('ArrowLeft');
    await panel().getByRole('tab', { name: 'Preview', selected: true }).and(page.locator(':focus')).waitFor();
    await count('3');
  });

  it('is replaced by its next version, and earlier ones can be shown again', async () => {
    await askFor('Count by ten');
    provider.end(`Now by ten:\n\n${counterOf(10)}`);
    await panel().getByText('Version 2 of 2').waitFor();
    await count('10');
    await button('Earlier version').click();
    await panel().getByText('Version 1 of 2').waitFor();
    await count('1');
    await askFor('Count by a hundred');
    provider.end(`Now by a hundred:\n\n${counterOf(100)}`);
    await panel().getByText('Version 1 of 3').waitFor();
    await expectAccessible(page, { isWithoutFrames: true });
  });

  it('is saved as a file', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download').click()]);
    expect(download.suggestedFilename()).toBe('Counter.html');
  });

  it('is closed with Escape, also in its frame, and by its button, and the focus returns', async () => {
    const close = [
      () => page.keyboard.press('Escape'),
      async () => {
        await count('10');
        await page.keyboard.press('Escape');
      },
      () => button('Close').click(),
    ];
    for (const each of close) {
      await showButton().nth(1).press('Enter');
      await panel().getByText('Version 2 of 3').waitFor();
      await each();
      await panel().waitFor({ state: 'detached' });
      await showButton().nth(1).and(page.locator(':focus')).waitFor();
    }
  });

  it('can be a picture, a document or a diagram too', async () => {
    await askFor('Draw a logo, and plan the rest');
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>Logo</title><circle cx="5" cy="5" r="4" /></svg>';
    const plan = `# The plan\n\n${'Text. '.repeat(200)}`;
    provider.end(`\`\`\`xml\n${picture}\n\`\`\`\n\n\`\`\`md\n${plan}\n\`\`\`\n\n\`\`\`mermaid\nflowchart TD\n  A --> B\n\`\`\``);
    const shown = async (index: number, name: string) => {
      await page.locator('figure').nth(index).getByRole('button', { name: 'Show beside the chat' }).click();
      return page.getByRole('region', { name, exact: true });
    };
    await (await shown(3, 'Logo')).frameLocator('iframe').locator('circle').waitFor();
    await (await shown(4, 'The plan')).getByRole('heading', { name: 'The plan', level: 3 }).waitFor();
    await expectAccessible(page);
    await (await shown(5, 'Diagram')).getByRole('img', { name: 'Diagram' }).waitFor();
    await expectAccessible(page);
  });

  it('covers the chat on a phone', async () => {
    await page.setViewportSize(PHONE.viewport);
    await page.getByRole('region', { name: 'Diagram', exact: true }).getByRole('button', { name: 'Close' }).click();
    await showButton().nth(2).click();
    await panel().getByText('Version 3 of 3').waitFor();
    await count('100');
    expect(await panel().boundingBox()).toMatchObject({ x: 0, width: PHONE.viewport.width });
    await composerOf(page).waitFor({ state: 'hidden' });
    await expectAccessible(page, { isWithoutFrames: true });
    await button('Close').click();
    await composerOf(page).waitFor();
    expect(reported).toEqual([]);
  });
});
