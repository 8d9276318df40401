import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ChatWorld, chatWorld } from './chat-world.ts';

describe('a malicious reply', () => {
  let world: ChatWorld;
  let provider: ChatWorld['provider'];
  beforeAll(async () => {
    world = await chatWorld();
    ({ provider } = world);
  });

  /** The page of a chat whose reply is this text. */
  const opened = async (text: string) => {
    provider.finish(text);
    const { conversations } = world.parlance;
    const { conversation_id } = await conversations.ask({ message: { content: [{ content_type: 'text', body: 'A question' }] } });
    const { page, reported } = await world.openSignedIn();
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(world.product.url)) outside.push(request.url());
    });
    await page.goto(`/app/c/${conversation_id}`);
    await page.locator('article .markdown').waitFor();
    return { page, reported, outside };
  };

  it.each([
    ['emphasis without an end', `${'*a_'.repeat(20_000)} END`],
    ['formulas that define others', `$$\\def\\a{${'x'.repeat(3_000)}}${'\\a'.repeat(300)}$$ END`],
    ['a formula of 100,000 signs', `$$\n${'x^{2}+'.repeat(18_000)}y\n$$\n\nEND`],
    ['thousands of formulas', `${'$x^2$ '.repeat(4_000)} END`],
    ['code of thousands of parts', `\`\`\`css\n${'a{'.repeat(20_000)}\n\`\`\`\n\nEND`],
    ['thousands of paragraphs with a formula', `${'$$a\n\n'.repeat(5_000)}END`],
    ['a table of thousands of columns', `|${'a|'.repeat(3_000)}\n|${'-|'.repeat(3_000)}\n${'|x|\n'.repeat(3_000)}\nEND`],
  ])('leaves the page usable with %s', async (_, text) => {
    const { page, reported } = await opened(text);
    await page.getByText('END').last().waitFor();
    await page.getByRole('link', { name: 'Store', exact: true }).click();
    await page.waitForURL(/app\/store$/);
    expect(reported).toEqual([]);
  });

  it('loads nothing and has no element that a model could have written in HTML', async () => {
    const { page, reported, outside } = await opened(
      '![a](https://elsewhere.invalid/a.png) <img src="https://elsewhere.invalid/b.png"> <script>alert(1)</script> <svg onload=alert(1)></svg>\n\n' +
        '[b](javascript:alert(1)) $\\includegraphics{https://elsewhere.invalid/c.png}$ $\\href{javascript:alert(1)}{x}$ $\\htmlStyle{position:fixed}{y}$ END',
    );
    await page.getByText('END').waitFor();
    await page.locator('article math').first().waitFor({ state: 'attached' });
    expect(await page.locator('.markdown :is(script, img, svg:not([aria-hidden]), iframe, [style], [href^="javascript"])').count()).toBe(0);
    expect([reported, outside]).toEqual([[], []]);
  });

  it('draws no part of a formula above other parts of the page', async () => {
    const { page } = await opened('Before $\\raisebox{4em}{\\text{Signed out}}$ after');
    await page.locator('article span:not([hidden]) > .katex').waitFor({ state: 'attached' });
    const isCovered = await page.evaluate<boolean>(`{
      const { left, top, width, height } = document.querySelector('article mtext').getBoundingClientRect();
      document.elementFromPoint(left + width / 2, top + height / 2).closest('.markdown') !== null;
    }`);
    expect(isCovered).toBe(false);
  });

  it('cannot hide the host of a link', async () => {
    const { page } = await opened(
      '[\u202emoc.knab](https://elsewhere.invalid/) and [https://bank.example@elsewhere.invalid](https://elsewhere.invalid/)',
    );
    const links = page.locator('.markdown a');
    expect(await links.locator('bdi').allTextContents()).toEqual(['\u202emoc.knab', 'https://bank.example@elsewhere.invalid']);
    expect(await links.getByText('(elsewhere.invalid)').count()).toBe(2);
  });
});
