import { setTimeout as pause } from 'node:timers/promises';

const PAGE = 50;
export const PAGES = 20;
/** The number of clicks at the beginning and at the end that are compared. */
const COMPARED = 5;
const LINKS = `document.querySelectorAll('nav a[href*="/c/"]').length`;
const MORE = `[...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'More').click()`;

const chatAt = (index) => ({
  conversation_id: `01K${String(index).padStart(23, '0')}`,
  title: `Chat ${index}`,
  create_time: 1_800_000_000,
  last_message_time: 1_800_000_000 - index,
  bot_id: null,
  model: 'chat-list',
  total_price: 0,
});

/**
 * Compares the processor time of the last pages of a long list of chats with the first pages. The page requests a generated list. `watched`
 * measures the processor time of an action.
 */
export async function growthOfList(page, watched) {
  await page.route('**/conversations?*', (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('next_token') ?? 0);
    const conversations = Array.from({ length: PAGE }, (_, index) => chatAt(from * PAGE + index));
    return route.fulfill({ json: { conversations, next_token: from + 1 < PAGES ? String(from + 1) : null } });
  });
  await page.reload();
  while ((await page.evaluate(LINKS)) < PAGE) await pause(20);
  const costs = [];
  for (let shown = 2; shown <= PAGES; shown++) {
    const act = async () => {
      await page.evaluate(MORE);
      while ((await page.evaluate(LINKS)) < shown * PAGE) await pause(20);
    };
    costs.push((await watched(act)).cpu);
  }
  const sum = (all) => all.reduce((one, other) => one + other, 0);
  return sum(costs.slice(-COMPARED)) / sum(costs.slice(0, COMPARED));
}
