import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type ConsoleWorld, consoleWorld, PHONE } from '../console-world.ts';
import { type Seeded, seed } from '../seeded.ts';
import { untranslatedOn, usePseudoLanguage } from './pseudo-language.ts';

/** The main pages. */
const PAGES = [
  '/',
  '/c/{conversationId}',
  '/bots',
  '/bots/{botId}/edit',
  '/bots/{botId}/knowledge',
  '/store',
  '/prompts',
  '/account',
  '/account/usage',
  '/admin',
  '/admin/users',
  '/admin/costs',
  '/admin/models',
] as const;

/** What users and models wrote, names, and dates in German. */
const DATA = new RegExp(
  [
    String.raw`@example\.org$`,
    String.raw`^(admin-\w+ Example|Parlance Administrator|First\d+ Last|Handbook( \w+)?|handbook\.txt|Report \w+|sales|app: report|[0-9a-f]{8})$`,
    String.raw`^(How many days of leave|Who books travel|A (very)+|In the first year there are|Travel is booked|Answers questions about leave|Be brief)`,
    // The offline model answers in English.
    `^(I am Parlance's offline model|Quoted from: )`,
    // Models, providers, groups, and tools with the descriptions that models read.
    '^(Offline model|Claude |GPT-|Amazon Nova |(openai|local|bedrock|anthropic|Admin|CreatingBotAllowed|PublishAllowed)$)',
    '^(knowledge_search|calculator|Searches the knowledge of this bot|Computes an arithmetic expression)',
    String.raw`^(\d+\. )?(Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)\p{L}*\.?( \d{4})?$`,
  ].join('|'),
  'u',
);

describe('in a pseudo-language', () => {
  let world: ConsoleWorld;
  let seeded: Seeded;
  let page: Page;
  beforeAll(async () => {
    // Other spec files leave users, bots and models with names of their own.
    world = await consoleWorld({}, { isOwn: true });
    seeded = await seed(world);
    ({ page } = await world.openSignedIn());
    await usePseudoLanguage(page.context());
  });

  it.each(PAGES)('%s has no untranslated text, and fits a phone', async (path) => {
    await page.goto(`/app${path.replaceAll(/\{(\w+)\}/g, (_, name: keyof Seeded) => seeded[name])}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await untranslatedOn(page, DATA)).toEqual([]);
    await page.setViewportSize(PHONE.viewport);
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('the sign-in page has no untranslated text', async () => {
    const { page: outside } = await world.open();
    await usePseudoLanguage(outside.context());
    await outside.goto('/app/sign-in');
    await outside.getByRole('heading', { level: 1 }).waitFor();
    await outside.waitForLoadState('networkidle');
    expect(await untranslatedOn(outside, DATA)).toEqual([]);
  });

  it('a text that is written into a page is found', async () => {
    await page.evaluate("document.querySelector('h1').append('Hard-coded text')");
    expect(await untranslatedOn(page, DATA)).toContainEqual(expect.stringContaining('Hard-coded text'));
  });
});
